"""Reports of a training run as lines that a program can read, and resumption that is not forgotten."""

from __future__ import annotations

import json
import math
from typing import Any

from transformers import Trainer, TrainerCallback
from transformers.trainer_callback import PrinterCallback, ProgressCallback


class Reports(TrainerCallback):
    """One line for every optimiser step, of numbers alone; null stands for NaN and infinity."""

    def on_log(self, args: Any, state: Any, control: Any, logs: dict[str, Any] | None = None, **others: Any) -> None:
        if not state.is_world_process_zero or "loss" not in (logs or {}):
            return
        report = {"step": state.global_step, "total": state.max_steps, **{key: number(logs[key]) for key in logs}}
        print("PROGRESS " + json.dumps(report), flush=True)


def number(value: Any) -> float | int | None:
    try:
        known = value if isinstance(value, int) else float(value)
    except (TypeError, ValueError):
        return None
    return known if math.isfinite(known) else None


def watch_trainers() -> None:
    """
    Trainers report their steps, and go on from `resume_from_checkpoint` of their arguments: transformers leaves that to
    whoever calls `train`, and scripts of TRL before 1.14 call it bare, which starts anew without a word.
    """
    train = Trainer.train

    def reported(self: Trainer, resume_from_checkpoint: Any = None, **others: Any) -> Any:
        for bar in (ProgressCallback, PrinterCallback):
            self.remove_callback(bar)
        self.add_callback(Reports())
        return train(self, resume_from_checkpoint or self.args.resume_from_checkpoint, **others)

    Trainer.train = reported
