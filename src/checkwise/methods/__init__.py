"""One file a method."""

from checkwise.methods.base import ChecklistMethod, ComparingMethod, Method, PairMethod, ScoreMethod
from checkwise.methods.ce_judge import CEJudge
from checkwise.methods.cot import CoT
from checkwise.methods.direct import Direct
from checkwise.methods.item_asking import Alone, Asking, InTurn, Together
from checkwise.methods.prometheus import Prometheus
from checkwise.methods.rocketeval import RocketEval

__all__ = [
    "Alone",
    "Asking",
    "CEJudge",
    "ChecklistMethod",
    "CoT",
    "ComparingMethod",
    "Direct",
    "InTurn",
    "Method",
    "PairMethod",
    "Prometheus",
    "RocketEval",
    "ScoreMethod",
    "Together",
]
