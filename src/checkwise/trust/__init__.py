"""How far to believe the judge."""
