"""Extract and load: what GitHub says of the watched repositories, into `raw_github`."""

__version__ = "0.1.0"
