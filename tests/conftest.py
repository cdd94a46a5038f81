"""What holds for all tests."""

import os

from hypothesis import settings

# The same examples every time, so that a change is to blame where a test begins to fail; `HYPOTHESIS_PROFILE=search`
# looks for new ones. No deadlines: a machine may be busy.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("search", derandomize=False, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))
