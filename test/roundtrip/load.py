"""Loads an exported data set with Hugging Face `datasets` and checks that it comes back as it was declared.

    python -m pip install datasets && python test/roundtrip/load.py <data set folder>

Prints one line per configuration and split; exits with 1 when a feature, a row, a `<think>` block or the place of a
file is not as expected, or the card tells other features, another number of rows or of bytes than `datasets` finds.
With a second file, values are compared with what another reader found:

    npx tsx test/roundtrip/checksums.ts <data set folder> > sums.json
    python test/roundtrip/load.py <data set folder> sums.json
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
from datasets.info import DatasetInfosDict


def declared_features(file: Path) -> Features:
    footer = parquet.read_schema(file).metadata[b"huggingface"]
    return Features.from_dict(json.loads(footer)["info"]["features"])


def parts_of(card: str):
    """The function that the card gives its readers."""
    scope: dict = {}
    exec(re.search(r"```python\n(def parts.*?)```", card, re.S)[1], scope)
    return scope["parts"]


def problems_of(config: str, row: dict, parts) -> list[str]:
    sides = {"sft": ["completion"], "dpo": ["chosen", "rejected"]}.get(config, [])
    found = []
    if not sides:
        return found
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
        reasoning, answer, code = parts(row, side, "files" if config == "sft" else f"{side}_files")
        if text != (f"<think>\n{reasoning}\n</think>\n\n{answer}" if tags else answer):
            found.append(f"{side} is not what the card divides it into")
        for path, content in code.items():
            if not content.strip() or content not in answer:
                found.append(f"{side}: the answer does not hold {path}")
    return [f"{config} {row['id']}: {problem}" for problem in found]


def checksum(rows) -> str:
    """SHA-256 over id and trainer texts of all rows in order, each ended by a zero byte."""
    digest = hashlib.sha256()
    for row in rows:
        columns = ("prompt", "completion", "chosen", "rejected")
        texts = [row["id"]] + [turn["content"] for name in columns for turn in row.get(name) or []]
        for text in texts:
            digest.update(text.encode() + b"\0")
    return digest.hexdigest()


def main(folder: Path, sums: dict | None) -> int:
    failures = []
    # Reading the card itself: `load_dataset_builder` would only repeat what this very loader makes of it.
    text = (folder / "README.md").read_text("utf-8")
    card = yaml.safe_load(text.split("---\n")[1])
    carded = DatasetInfosDict.from_directory(str(folder))
    parts = parts_of(text) if "def parts" in text else None
    expected = {
        (info["config_name"], split["name"]): split for info in card["dataset_info"] for split in info["splits"]
    }
    for config in sorted(path.name for path in (folder / "data").iterdir() if path.is_dir()):
        with tempfile.TemporaryDirectory() as cache:
            loaded = load_dataset(str(folder), config, cache_dir=cache)
            for split, rows in loaded.items():
                first = sorted((folder / "data" / config).glob(f"{split}-*.parquet"))[0]
                if rows.features != declared_features(first):
                    failures.append(f"{config}/{split}: features differ from the footer: {rows.features}")
                if rows.features != carded[config].features:
                    failures.append(f"{config}/{split}: features differ from those of the card: {rows.features}")
                told = expected.pop((config, split), {})
                if rows.num_rows != told.get("num_examples"):
                    failures.append(f"{config}/{split}: {rows.num_rows} rows, not as many as the card says")
                if rows.info.splits[split].num_bytes != told.get("num_bytes"):
                    counted = rows.info.splits[split].num_bytes
                    failures.append(f"{config}/{split}: {counted} bytes, the card says {told.get('num_bytes')}")
                if sums is not None and sums.get(f"{config}/{split}") != checksum(rows):
                    failures.append(f"{config}/{split}: values differ from those of the other reader")
                for row in rows:
                    failures.extend(problems_of(config, row, parts))
                counted = rows.info.splits[split].num_bytes
                print(f"{config}/{split}: {rows.num_rows} rows, {counted} bytes, {len(rows.features)} columns")
    failures.extend(f"{config}/{split}: in the card and not in the files" for config, split in expected)
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text("utf-8")) if len(sys.argv) == 3 else None))
