"""What happens in the sample, and who says what: the world is written here."""
