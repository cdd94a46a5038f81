-- Every answer of a model, once. Committed when it arrives; never changed.
CREATE TABLE IF NOT EXISTS completions (
    key        TEXT PRIMARY KEY,
    model      TEXT NOT NULL,
    kind       TEXT NOT NULL CHECK (kind IN ('generate', 'choose', 'translate')),
    answer     TEXT NOT NULL,
    created    TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
    -- What the question was for; null in answers from before this was kept.
    step       TEXT
) WITHOUT ROWID;

-- What was asked and had no answer. Kept for the record, never used as an answer.
CREATE TABLE IF NOT EXISTS failures (
    key        TEXT NOT NULL,
    model      TEXT NOT NULL,
    kind       TEXT NOT NULL,
    reason     TEXT NOT NULL,
    created    TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
);

-- The last run, as records. All of it can be made again from the data and the completions.
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS instances (position INTEGER PRIMARY KEY, record TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS responses (position INTEGER PRIMARY KEY, record TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS checklists (instance_id TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID;

-- The lists as they were last put into checklists.jsonl, and by whom, so that a person's edits to that file are known
-- as such. While the file is being replaced, an instance has its list of before and its list to be.
CREATE TABLE IF NOT EXISTS placed_checklists (
    instance_id TEXT NOT NULL,
    items       TEXT NOT NULL,
    origin      TEXT NOT NULL CHECK (origin IN ('person', 'file', 'data', 'generator')),
    record      TEXT NOT NULL,
    PRIMARY KEY (instance_id, items)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS grades (
    instance_id TEXT NOT NULL,
    model       TEXT NOT NULL,
    number      INTEGER NOT NULL,
    item        TEXT NOT NULL,
    p_yes       REAL,
    mass        REAL,
    answers     INTEGER,
    yes_answers INTEGER,
    mode        TEXT NOT NULL,
    bounded     INTEGER NOT NULL,
    low_mass    INTEGER NOT NULL,
    reason      TEXT,
    PRIMARY KEY (instance_id, model, number)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS scores (
    instance_id    TEXT NOT NULL,
    model          TEXT NOT NULL,
    value          REAL,
    status         TEXT NOT NULL,
    items          INTEGER NOT NULL,
    scored_items   INTEGER NOT NULL,
    low_mass_items INTEGER NOT NULL,
    mean_mass      REAL,
    verdict        REAL,
    retried        INTEGER NOT NULL,
    reason         TEXT,
    PRIMARY KEY (instance_id, model)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS pairs (position INTEGER PRIMARY KEY, record TEXT NOT NULL);

-- Verdicts on pairs, one for each order in which a pair was shown; `first` is null where no order was.
CREATE TABLE IF NOT EXISTS comparisons (
    pair_id TEXT NOT NULL,
    first   TEXT,
    verdict TEXT,
    p_a     REAL,
    mass    REAL,
    status  TEXT NOT NULL,
    retried INTEGER NOT NULL,
    reason  TEXT
);
CREATE UNIQUE INDEX IF NOT EXISTS one_comparison_an_order ON comparisons (pair_id, coalesce(first, ''));

-- What methods wrote down on their way to a verdict.
CREATE TABLE IF NOT EXISTS findings (position INTEGER PRIMARY KEY, record TEXT NOT NULL);
