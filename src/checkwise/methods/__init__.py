"""One file a method."""

from checkwise.methods.base import ChecklistMethod, Method, ScoreMethod
from checkwise.methods.direct import Direct
from checkwise.methods.rocketeval import RocketEval

__all__ = ["ChecklistMethod", "Direct", "Method", "RocketEval", "ScoreMethod"]
