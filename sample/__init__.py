"""A small, synthetic, deterministic GitHub: for the demo, and for the tests."""
