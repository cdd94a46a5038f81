"""From item grades to a score."""
