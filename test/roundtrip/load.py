"""Loads an exported data set with Hugging Face `datasets` and checks that it comes back as it was declared.

    python -m pip install datasets && python test/roundtrip/load.py <data set folder>

Prints one line per configuration and split; exits with 1 when a feature, a row or a `<think>` block is not as expected.
"""
import json
import sys
import tempfile
from pathlib import Path

import pyarrow.parquet as parquet
from datasets import Features, load_dataset


def declared_features(file: Path) -> Features:
    footer = parquet.read_schema(file).metadata[b"huggingface"]
    return Features.from_dict(json.loads(footer)["info"]["features"])


def problems_of(config: str, row: dict) -> list[str]:
    sides = ["completion"] if config == "sft" else ["chosen", "rejected"]
    found = []
    if [turn["role"] for turn in row["prompt"]] != ["user"]:
        found.append("prompt is not a single user turn")
    for side in sides:
        turns = row[side]
        if [turn["role"] for turn in turns] != ["assistant"]:
            found.append(f"{side} is not a single assistant turn")
        text = turns[0]["content"]
        if text.count("<think>") != text.count("</think>") or text.count("<think>") > 1:
            found.append(f"{side} has unbalanced think tags")
    return [f"{config} {row['id']}: {problem}" for problem in found]


def main(folder: Path) -> int:
    failures = []
    for config in sorted(path.name for path in (folder / "data").iterdir() if path.is_dir()):
        with tempfile.TemporaryDirectory() as cache:
            loaded = load_dataset(str(folder), config, cache_dir=cache)
            for split, rows in loaded.items():
                first = sorted((folder / "data" / config).glob(f"{split}-*.parquet"))[0]
                if rows.features != declared_features(first):
                    failures.append(f"{config}/{split}: features differ from the footer: {rows.features}")
                for row in rows:
                    failures.extend(problems_of(config, row))
                print(f"{config}/{split}: {rows.num_rows} rows, {len(rows.features)} columns, {rows.features['prompt']}")
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1])))
