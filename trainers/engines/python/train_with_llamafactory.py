"""Runs LLaMA-Factory as `llamafactory-cli train` does: `train_with_llamafactory.py sft.yaml`."""

from __future__ import annotations

from llamafactory.train.tuner import run_exp
from progress import watch_trainers

if __name__ == "__main__":
    watch_trainers()
    run_exp()
