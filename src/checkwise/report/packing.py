"""An instance as the page carries it: short, since five hundred of them with twenty models each must load at once.

Cells, of which there are most, lie in arrays: ``p`` has p_yes and ``m`` the mass, with four decimals; what is out of
the ordinary, such as a reason, is in ``x`` by the place of the cell. The page's script undoes it.
"""

from typing import Any

from checkwise.records import Record

_DECIMALS = 4
_PLAIN = {"p_yes", "mass", "mode"}


def packed(record: Record) -> dict[str, Any]:
    """Write a record without what has its default, cells as arrays.

    Args:
        record: An instance, or a pair.

    Returns:
        What JSON can hold.
    """
    whole: dict[str, Any] = record.model_dump(exclude_defaults=True)
    instance = whole.get("instance", whole)
    for response in instance.get("responses", ()):
        cells = response.pop("cells", ())
        if cells:
            response["cells"] = _cells(cells)
    return whole


def _cells(cells: Any) -> dict[str, Any]:  # noqa: ANN401 - of dumped records
    modes = [cell.get("mode") for cell in cells]
    usual = max(dict.fromkeys(modes), key=modes.count)
    rare = {
        place: {name: value for name, value in cell.items() if name not in _PLAIN} | _mode(cell, usual)
        for place, cell in enumerate(cells)
    }
    return {
        "p": [_short(cell.get("p_yes")) for cell in cells],
        "m": [_short(cell.get("mass")) for cell in cells],
        "mode": usual,
        "x": {place: fields for place, fields in rare.items() if fields},
    }


def _mode(cell: dict[str, Any], usual: object) -> dict[str, Any]:
    return {} if cell.get("mode") == usual else {"mode": cell.get("mode")}


def _short(value: float | None) -> float | None:
    return None if value is None else round(value, _DECIMALS)
