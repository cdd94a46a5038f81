"""Numbers that people gave to responses."""

import math

from checkwise.errors import DataError, Place


def optional_number(value: object, place: Place, name: str, *, decimal_comma: bool = False) -> float | None:
    """Check that a value is a finite number, or text that is one, as a CSV file has it.

    Args:
        value: What the field holds.
        place: Where it stands.
        name: The field it comes from.
        decimal_comma: Whether ``5,5`` means five and a half.

    Returns:
        The number; None where there is null or blank text.

    Raises:
        DataError: It is something else.
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    number = _number(value, decimal_comma)
    if number is None:
        raise DataError(
            f"`{name}` is no finite number: {str(value)[:60]!r}",
            where=place,
            todo="Write a number, such as 4.5, or leave it empty where nobody rated the row.",
        )
    return number


def _number(value: object, decimal_comma: bool) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if isinstance(value, str):
        # float() also reads 1_000.
        value = "" if "_" in value else value
        value = value.replace(",", ".") if decimal_comma else value
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None
