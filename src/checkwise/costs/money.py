"""Dollars, for people."""


def dollars(amount: float | None) -> str:
    """Write an amount, such as ``$12.30`` or ``$0.0042``; what is not known is ``unknown``, and never 0."""
    if amount is None:
        return "unknown"
    if amount >= 1 or amount == 0:
        return f"${amount:,.2f}"
    return f"${amount:.4f}" if amount >= 0.0001 else "under $0.0001"
