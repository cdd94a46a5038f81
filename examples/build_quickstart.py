"""Write the responses of the quickstart example: three small models answer its queries on this machine.

Run it from the repository's root, in an environment with checkwise installed: ``python examples/build_quickstart.py``.
The 0.5B and 135M weights must be in the cache (``checkwise models get NAME`` says how).
"""

import asyncio
import json
from importlib.metadata import version
from pathlib import Path

from checkwise import load, open_engine
from checkwise.questions import Generate, Generation, Message

MODELS = ("qwen2.5-coder-1.5b", "qwen2.5-coder-0.5b", "smollm2-135m")
FOLDER = Path(__file__).parent / "quickstart"
TEMPERATURE, SEED, MAX_TOKENS = 0.3, 42, 200


async def main() -> None:
    """Have each model answer each query, and keep with every response how it was made."""
    instances = load(FOLDER / "queries.jsonl").instances
    (FOLDER / "responses").mkdir(exist_ok=True)
    for model in MODELS:
        engine = open_engine(model)
        sha256 = str(engine.identity["sha256"])
        how = (
            f"{model} (weights sha256 {sha256[:12]}), xllamacpp {version('xllamacpp')}, "
            f"temperature {TEMPERATURE}, seed {SEED}, at most {MAX_TOKENS} tokens"
        )
        lines = []
        for instance in instances:
            messages = tuple(Message(role=turn.role, content=turn.content) for turn in instance.turns)
            question = Generate(messages=messages, max_tokens=MAX_TOKENS, temperature=TEMPERATURE, seed=SEED)
            answer = await engine.generate(question)
            if isinstance(answer, Generation):
                row = {"id": instance.id, "model": model, "response": answer.text.strip(), "how": how}
                lines.append(json.dumps(row, ensure_ascii=False) + "\n")
        (FOLDER / "responses" / f"{model}.jsonl").write_text("".join(lines), encoding="utf-8")
        await engine.close()


if __name__ == "__main__":
    asyncio.run(main())
