"""What a person sees."""

from checkwise.report.build import build_content
from checkwise.report.content import ReportContent
from checkwise.report.html import write_html, write_pair_html
from checkwise.report.markdown import leaderboard_markdown, metrics_markdown
from checkwise.report.metrics import MetricKind, MetricRow, MetricTable
from checkwise.report.pair_build import build_pair_content
from checkwise.report.pair_content import PairReportContent
from checkwise.report.sections import CostRow
from checkwise.report.trust_page import CurvePoint, PoorItem, TrustPage, Upset, trust_markdown

__all__ = [
    "CostRow",
    "CurvePoint",
    "MetricKind",
    "MetricRow",
    "MetricTable",
    "PairReportContent",
    "PoorItem",
    "ReportContent",
    "TrustPage",
    "Upset",
    "build_content",
    "build_pair_content",
    "leaderboard_markdown",
    "metrics_markdown",
    "trust_markdown",
    "write_html",
    "write_pair_html",
]
