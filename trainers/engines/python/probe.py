"""
What an environment has: `probe.py <engine> <method> <package>…` prints `{"versions": {…}, "keys": […] | null}`.
Keys are those that the trainer's own parser knows; null where it cannot be asked.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
import sys
from importlib import metadata


def versions(packages: list[str]) -> dict[str, str]:
    found = {}
    for package in packages:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


def keys_of_trl(method: str) -> list[str]:
    parser = importlib.import_module(f"trl.scripts.{method}").make_parser()
    return [action.dest for action in parser._actions if action.dest != "help"]


def keys_of_llama_factory(method: str) -> list[str]:
    from llamafactory.hparams import parser

    return [field.name for kind in parser._TRAIN_ARGS for field in dataclasses.fields(kind) if field.init]


def keys_of_ms_swift(method: str) -> list[str]:
    arguments = importlib.import_module("swift.arguments")
    kind = arguments.SftArguments if method == "sft" else arguments.RLHFArguments
    return [field.name for field in dataclasses.fields(kind) if field.init]


KEYS = {"trl": keys_of_trl, "llama-factory": keys_of_llama_factory, "ms-swift": keys_of_ms_swift}


def keys(engine: str, method: str) -> list[str] | None:
    try:
        return sorted(set(KEYS[engine](method)))
    except (KeyError, ImportError, AttributeError):
        return None


if __name__ == "__main__":
    print(json.dumps({"versions": versions(sys.argv[3:]), "keys": keys(sys.argv[1], sys.argv[2])}))
