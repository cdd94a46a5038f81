"""From scores to models in order."""
