"""The observed and the exact frequencies of payments, from the chi-square benchmark."""

import importlib.util

from support.documented import ROOT

_SPEC = importlib.util.spec_from_file_location("chisquare", ROOT / "benchmarks" / "chisquare.py")
_MODULE = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(_MODULE)
certain_payments, payment_chances = _MODULE.certain_payments, _MODULE.payment_chances
