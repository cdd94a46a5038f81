"""The report as one HTML file that needs nothing else: no server, no network, no other file.

Responses are written by models and may hold anything. Text reaches the page in two ways only: escaped by Jinja, or as
JSON that the script shows with ``textContent``; the templates mark as safe that JSON and the package's own files. The
page's Content-Security-Policy names the hash of the one style sheet and the one script, so that nothing else runs even
if that failed.
"""

import base64
import hashlib
import json
from importlib import resources
from pathlib import Path
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined

from checkwise.files import write_whole
from checkwise.report.axis import shared_axis
from checkwise.report.content import InstanceContent, ReportContent
from checkwise.report.numbers import decimal, interval, percent

# Overrides of the text's direction make a text look like another one, so they are shown instead of obeyed.
_OVERRIDES = "\u202d\u202e"
_VISIBLE = str.maketrans({character: f"[U+{ord(character):04X}]" for character in _OVERRIDES})
_JSON_ESCAPES = str.maketrans({character: f"\\u{ord(character):04x}" for character in f"<>&\u2028\u2029{_OVERRIDES}"})
# What a browser leaves as it is in a fragment, so that an address typed by hand finds the instance too.
_FRAGMENT_SAFE = "-._~!$&'()*+,;=:@/?"


def write_html(content: ReportContent, path: Path) -> None:
    """Write the report; a reader of the file sees the old one or the new one, never a part.

    Args:
        content: What to show.
        path: The file to write; its folder is made if need be.

    Raises:
        UserError: The file cannot be written.
    """
    # Half of a surrogate pair, which JSON can smuggle in, is no UTF-8: written \udXXX it is also what JSON means.
    write_whole(path, _render(content).encode("utf-8", "backslashreplace"))


def _render(content: ReportContent) -> str:
    style, script = _asset("report.css"), _asset("report.js")
    category_rows = {(part.category, row.model): row for part in content.categories for row in part.rows}
    models = [row.model for row in content.leaderboard]
    return (
        _environment()
        .get_template("report.html.j2")
        .render(
            content=content,
            axis=shared_axis(content.leaderboard),
            category_axis=shared_axis(category_rows.values()),
            category_rows=category_rows,
            category_models=list(dict.fromkeys([*models, *(model for _, model in category_rows)])),
            instance_categories=sorted({i.category for i in content.instances if i.category is not None}),
            style=style,
            script=script,
            policy=_policy(style, script),
        )
    )


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("checkwise.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_visible,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"decimal": decimal, "percent": percent, "payload": _payload, "anchor": _anchor}
    environment.globals["interval"] = interval
    return environment


def _visible(value: object) -> object:
    return value.translate(_VISIBLE) if isinstance(value, str) else value


def _asset(name: str) -> str:
    return resources.files("checkwise.report").joinpath("templates", name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    """Forbid everything but the style sheet and the script of the page, each named by its hash."""
    return (
        f"default-src 'none'; style-src {_source_hash(style)}; script-src {_source_hash(script)}; "
        "base-uri 'none'; form-action 'none'"
    )


def _source_hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def _payload(instance: InstanceContent) -> str:
    """Write an instance as JSON that cannot end the script element it stands in."""
    text = json.dumps(instance.model_dump(exclude_defaults=True), ensure_ascii=False, separators=(",", ":"))
    return text.translate(_JSON_ESCAPES)


def _anchor(instance_id: str) -> str:
    """Write an id as the fragment of an address: any id will do, spaces and other scripts included."""
    return f"instance-{quote(instance_id, safe=_FRAGMENT_SAFE, errors='backslashreplace')}"
