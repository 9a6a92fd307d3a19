"""
Two steps of TRL's GRPO on a CPU: a tiny Qwen3 with random weights and a byte-level tokenizer, rewarded by the service.

It shows that the parts fit, not that a model learns. The model babbles, so its completions hold no code; so that rewards
of every kind are seen, some completions of each step are replaced by replies of a file, if one is given:

    python -m ascend_cot_judge.smoke [replies.jsonl]        # lines with `task_id` and `completion`
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from datasets import Dataset
from trl import GRPOConfig, GRPOTrainer

from .tiny import tiny_model, tiny_tokenizer
from .trl import judge_reward, prompts

STEPS = 2
COMPLETIONS = 4
PROMPT_TOKENS = 256


def short(row: dict[str, Any]) -> dict[str, Any]:
    """The tiny model reads bytes: whole prompts would only cost time."""
    return {**row, "prompt": [{"role": "user", "content": row["prompt"][0]["content"][:PROMPT_TOKENS]}]}


def seen_rewards(replies: dict[str, list[str]]):
    def reward(completions: list[Any], task_id: list[str], **columns: Any) -> list[float | None]:
        known = [replies.get(task, []) for task in task_id]
        mixed = [
            texts[number % len(texts)] if texts and number % 2 else completion
            for number, (completion, texts) in enumerate(zip(completions, known, strict=True))
        ]
        rewards = judge_reward(mixed, task_id, **columns)
        print(json.dumps({"task_id": task_id, "rewards": rewards}), flush=True)
        return rewards

    return reward


def main(replies_file: str | None) -> None:
    replies: dict[str, list[str]] = {}
    for line in Path(replies_file).read_text().splitlines() if replies_file else []:
        row = json.loads(line)
        replies.setdefault(row["task_id"], []).append(row["completion"])
    tokenizer = tiny_tokenizer()
    with tempfile.TemporaryDirectory() as output:
        trainer = GRPOTrainer(
            model=tiny_model(len(tokenizer)),
            reward_funcs=seen_rewards(replies),
            train_dataset=Dataset.from_list([short(row) for row in prompts()]),
            processing_class=tokenizer,
            args=GRPOConfig(
                output_dir=output,
                max_steps=STEPS,
                per_device_train_batch_size=COMPLETIONS,
                num_generations=COMPLETIONS,
                max_completion_length=32,
                logging_steps=1,
                save_strategy="no",
                report_to="none",
                use_cpu=True,
                bf16=False,
                seed=1,
            ),
        )
        trainer.train()
        losses = [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]
        print(json.dumps({"steps": trainer.state.global_step, "losses": losses}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
