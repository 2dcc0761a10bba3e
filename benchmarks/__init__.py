"""What is fast, and what is never lost: measured, each by a command that prints it."""
