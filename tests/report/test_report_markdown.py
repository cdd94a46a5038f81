import polars as pl

from checkwise.report import leaderboard_markdown


def test_a_table_reads_like_this(board):
    table = board((1, "able", 0.7123, 0.66, 0.7549, 12), (None, "weak", None, None, None, 0))
    assert leaderboard_markdown(table) == (
        "| Rank | Model | Score | Interval | n | Coverage | Unscored | Empty | Mean mass | Low-mass items |\n"
        "| --: | :-- | --: | :-: | --: | --: | --: | --: | --: | --: |\n"
        "| 1 | able | 0.712 | [0.660, 0.755] | 12 | 50.0% | 1 | 0 | – | 0 |\n"
        "| – | weak | – | – | 0 | 50.0% | 1 | 0 | – | 0 |\n"
    )


def test_names_cannot_break_the_table_or_carry_markup(board):
    lines = leaderboard_markdown(board((1, "a|b\r\n| c <b>[x](y)", 0.5, None, None, 1))).splitlines()
    assert len(lines) == 3
    assert r"| a\|b \| c \<b\>\[x\](y) |" in lines[2]


def test_names_of_every_script_stay_readable(board):
    assert "| 模型_7b-é |" in leaderboard_markdown(board((1, "模型_7b-é", 0.5, None, None, 1)))


def test_nan_is_a_dash(board):
    nan = float("nan")
    assert "nan" not in leaderboard_markdown(board((1, "a", nan, nan, nan, 0))).lower()


def test_a_category_comes_first(board):
    rows = board((1, "a", 0.5, None, None, 1), (1, "a", 0.5, None, None, 1))
    table = rows.insert_column(0, pl.Series("category", ["math", None]))
    lines = leaderboard_markdown(table).splitlines()
    assert lines[0].startswith("| Category | Rank |")
    assert lines[1].startswith("| :-- | --: |")
    assert lines[2].startswith("| math | 1 |")
    assert lines[3].startswith("| – | 1 |")
