"""PRESENT: reports.* as Markdown and HTML. It arranges and words; it judges nothing."""
