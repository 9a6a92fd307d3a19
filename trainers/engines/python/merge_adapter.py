"""Writes a model with an adapter merged into its weights: `merge_adapter.py <model> <adapter> <output> <dtype>`."""

from __future__ import annotations

import os
import shutil
import sys

import torch
from peft import PeftModel
from transformers import AutoModelForCausalLM, AutoTokenizer


def main(model: str, adapter: str, output: str, dtype: str) -> None:
    if os.path.exists(output):
        return
    base = AutoModelForCausalLM.from_pretrained(model).to(getattr(torch, dtype))
    merged = PeftModel.from_pretrained(base, adapter).merge_and_unload()
    # What an earlier attempt left half written is no model.
    unfinished = f"{output}.unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    merged.save_pretrained(unfinished)
    AutoTokenizer.from_pretrained(model).save_pretrained(unfinished)
    os.rename(unfinished, output)


if __name__ == "__main__":
    main(*sys.argv[1:])
