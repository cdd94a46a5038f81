"""What a judge must beat to be worth asking."""

from collections.abc import Iterable

import polars as pl

from checkwise.ranking.matrix import require_unique
from checkwise.ranking.pairs import decided, paired
from checkwise.records import Response


def longer_wins(responses: Iterable[Response]) -> pl.DataFrame:
    """Call the longer response the better one, without reading either.

    Args:
        responses: At most one for an instance and model.

    Returns:
        instance_id, model_a, model_b, outcome (tie where the lengths are equal), delta (characters, i.e. code points,
        that the first has more than the second); each pair once, models in order of their names.

    Raises:
        DataError: Two responses are of the same model to the same instance.
    """
    lengths = pl.DataFrame(
        [(response.instance_id, response.model, len(response.text)) for response in responses],
        schema={"instance_id": pl.String, "model": pl.String, "characters": pl.Int64},
        orient="row",
    )
    require_unique(lengths, ["instance_id", "model"], of="responses")
    return decided(paired(lengths, "characters"))
