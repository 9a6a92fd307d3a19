"""Runs one of TRL's own scripts: `train_with_trl.py sft --config sft.yaml`. A key that TRL does not know ends it."""

from __future__ import annotations

import importlib
import sys

from progress import watch_trainers


def main(method: str, arguments: list[str]) -> None:
    script = importlib.import_module(f"trl.scripts.{method}")
    parsed = script.make_parser().parse_args_and_config(arguments, fail_with_unknown_args=True)
    watch_trainers()
    script.main(*parsed)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
