"""How the tests run: with a folder of their own for compiled code, and always on the same examples.

`COMET_CASES` is the number of random einsums over all properties (150), `COMET_SEED` draws others.
"""

from __future__ import annotations

import os
import tempfile

from hypothesis import HealthCheck, Phase, settings

os.environ.setdefault("COMET_CACHE_DIR", tempfile.mkdtemp(prefix="comet-python-tests-"))

settings.register_profile(
    "comet",
    deadline=None,
    derandomize="COMET_SEED" not in os.environ,
    database=None,
    phases=set(Phase) - {Phase.explain},
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
settings.load_profile("comet")
