"""What a person sees."""

from checkwise.report.build import build_content
from checkwise.report.content import ReportContent
from checkwise.report.html import write_html
from checkwise.report.markdown import leaderboard_markdown

__all__ = ["ReportContent", "build_content", "leaderboard_markdown", "write_html"]
