"""GitHub's REST API: asking it, walking its lists, and its rows as table rows."""
