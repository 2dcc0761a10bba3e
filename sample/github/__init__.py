"""GitHub's REST API over a world: pure, no sockets and no clocks."""
