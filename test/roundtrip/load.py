"""Loads an exported data set with Hugging Face `datasets` and checks that it comes back as it was declared.

    python -m pip install datasets && python test/roundtrip/load.py <data set folder>

Prints one line per configuration and split; exits with 1 when a feature, a row or a `<think>` block is not as expected, or the
card tells another number of rows. With a second file, values are compared with what another reader found:

    npx tsx test/roundtrip/checksums.ts <data set folder> > sums.json && python test/roundtrip/load.py <data set folder> sums.json
"""
import hashlib
import json
import re
import sys
import tempfile
from pathlib import Path

import pyarrow.parquet as parquet
import yaml
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
        tags = re.findall("</?think>", text)
        if tags != ["<think>", "</think>"] and (config == "sft" or tags):
            found.append(f"{side} has the think tags {tags}")
    return [f"{config} {row['id']}: {problem}" for problem in found]


def checksum(rows) -> str:
    """SHA-256 over id and trainer texts of all rows in order, each ended by a zero byte."""
    digest = hashlib.sha256()
    for row in rows:
        texts = [row["id"]] + [turn["content"] for name in ("prompt", "completion", "chosen", "rejected") for turn in row.get(name) or []]
        for text in texts:
            digest.update(text.encode() + b"\0")
    return digest.hexdigest()


def main(folder: Path, sums: dict | None) -> int:
    failures = []
    # Reading the card itself: `load_dataset_builder` would only repeat what this very loader makes of it.
    card = yaml.safe_load((folder / "README.md").read_text("utf-8").split("---\n")[1])
    expected = {(info["config_name"], split["name"]): split["num_examples"] for info in card["dataset_info"] for split in info["splits"]}
    for config in sorted(path.name for path in (folder / "data").iterdir() if path.is_dir()):
        with tempfile.TemporaryDirectory() as cache:
            loaded = load_dataset(str(folder), config, cache_dir=cache)
            for split, rows in loaded.items():
                first = sorted((folder / "data" / config).glob(f"{split}-*.parquet"))[0]
                if rows.features != declared_features(first):
                    failures.append(f"{config}/{split}: features differ from the footer: {rows.features}")
                if rows.num_rows != expected.pop((config, split), None):
                    failures.append(f"{config}/{split}: {rows.num_rows} rows, not as many as the card says")
                if sums is not None and sums.get(f"{config}/{split}") != checksum(rows):
                    failures.append(f"{config}/{split}: values differ from those of the other reader")
                for row in rows:
                    failures.extend(problems_of(config, row))
                print(f"{config}/{split}: {rows.num_rows} rows, {len(rows.features)} columns, {rows.features['prompt']}")
    failures.extend(f"{config}/{split}: in the card and not in the files" for config, split in expected)
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text("utf-8")) if len(sys.argv) == 3 else None))
