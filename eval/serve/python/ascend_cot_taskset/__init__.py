"""The judge's tasks as a task set of verifiers v1: `vf-eval ascend_cot_taskset`."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import verifiers.v1 as vf
from ascend_cot_judge import Judge

__all__ = ["OperatorTaskset"]


class OperatorData(vf.TaskData):
    """One operator to write. `task_id` is the judge's name for it, `mode` the form in which it is asked for."""

    task_id: str
    mode: str


class OperatorTaskConfig(vf.TaskConfig):
    url: str | None = None
    """Of the judge's service; default the variable JUDGE_URL, then http://127.0.0.1:8077."""


class OperatorTask(vf.Task[OperatorData, vf.State, OperatorTaskConfig]):
    @property
    def key(self) -> str:
        return f"{self.data.task_id}/{self.data.mode}"

    @vf.reward(weight=1.0)
    async def verdict(self, trace: vf.Trace) -> float:
        """The judge's reward for the last reply. Where nothing is known of it, the rollout fails: it is not punished."""
        item = {"id": "0", "task_id": self.data.task_id, "mode": self.data.mode, "completion": trace.last_reply}
        [scored] = await asyncio.to_thread(Judge(self.config.url).score, [item])
        if scored["reward"] is None:
            raise RuntimeError(f"no verdict ({scored['label']}): {scored['evidence'].get('message', '')}")
        return scored["reward"]


class OperatorConfig(vf.TasksetConfig):
    mode: str = "operator"
    """The form in which tasks are put: one of those of `GET /v1/tasks`."""
    task: OperatorTaskConfig = OperatorTaskConfig()


class OperatorTaskset(vf.Taskset[OperatorTask, OperatorConfig]):
    def load(self) -> Iterator[OperatorTask]:
        mode = self.config.mode
        for task in Judge(self.config.task.url).tasks():
            data = OperatorData(
                id=task["task_id"],
                name=task["operator"],
                prompt=task["prompts"][mode],
                task_id=task["task_id"],
                mode=mode,
            )
            yield OperatorTask(data, self.config.task)
