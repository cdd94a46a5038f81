"""One file a way to run a model."""
