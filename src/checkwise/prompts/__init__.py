"""Text that a model sees, one file a step of a method, versioned by content."""
