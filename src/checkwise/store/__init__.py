"""The run folder: every answer once, on disk before anything else happens with it."""
