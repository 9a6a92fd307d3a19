"""Rewards for TRL's GRPOTrainer: `reward_funcs=judge_reward`, or `ascend_cot_judge.trl.judge_reward` in YAML."""

from __future__ import annotations

from typing import Any

from . import Judge


def judge_reward(completions: list[Any], task_id: list[str], **columns: Any) -> list[float | None]:
    """
    completions: texts, or conversations of which the last turn is the reply
    task_id: the column of the data set that names the task of each
    mode: an optional column, the form in which the task was put (default `operator`)
    returns: None where nothing is known of a completion; TRL leaves such completions out
    """
    modes = columns.get("mode") or [None] * len(completions)
    items = [
        {"id": str(index), "task_id": task, "completion": _text(completion), **({"mode": mode} if mode else {})}
        for index, (completion, task, mode) in enumerate(zip(completions, task_id, modes, strict=True))
    ]
    return [item["reward"] for item in Judge().score(items)]


def prompts(mode: str = "operator") -> list[dict[str, Any]]:
    """Rows for `datasets.Dataset.from_list`: a prompt for every task of the service."""
    return [
        {"prompt": [{"role": "user", "content": task["prompts"][mode]}], "task_id": task["task_id"], "mode": mode}
        for task in Judge().tasks()
    ]


def _text(completion: Any) -> str:
    return completion if isinstance(completion, str) else completion[-1]["content"]
