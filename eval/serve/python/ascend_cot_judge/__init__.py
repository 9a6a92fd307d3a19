"""A client of the judge's service (`ascend-cot serve-judge`). Standard library only."""

from __future__ import annotations

import json
import os
import time
import uuid
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

__all__ = ["Judge", "JudgeError"]

LONGEST_WAIT = 60.0


class JudgeError(Exception):
    """The service refused a request, or could not be asked. `code` is its own word for why."""

    def __init__(self, code: str, message: str, fix: str) -> None:
        super().__init__(f"{message} {fix}")
        self.code = code


class Judge:
    """Asks a judge's service. Requests carry a name, so asking again after a lost connection judges nothing twice."""

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        patience: float = 3600.0,
        batch: int = 256,
    ) -> None:
        """
        url: of the service; default the variable JUDGE_URL, then http://127.0.0.1:8077
        token: default the variable JUDGE_TOKEN
        patience: seconds after which a request that found no place or no connection is given up
        batch: items of one request
        """
        self.url = (url or os.environ.get("JUDGE_URL") or "http://127.0.0.1:8077").rstrip("/")
        self.token = token or os.environ.get("JUDGE_TOKEN")
        self.patience = patience
        self.batch = batch

    def tasks(self) -> list[dict[str, Any]]:
        """The tasks of the service: `task_id`, `operator`, `level`, `category`, and `prompts` by mode."""
        return self._ask("GET", "/v1/tasks")["tasks"]

    def score(self, items: list[dict[str, Any]], priority: str = "normal") -> list[dict[str, Any]]:
        """
        Scores completions, in the order of `items`, each with `id`, `task_id` and `completion` (or `files`).
        `reward` is None where nothing is known of a completion.
        """
        scored: list[dict[str, Any]] = []
        for start in range(0, len(items), self.batch):
            body = {"items": items[start : start + self.batch], "priority": priority}
            scored += self._ask("POST", "/v1/score", body, {"idempotency-key": str(uuid.uuid4())})["items"]
        return scored

    def _ask(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Any:
        until = time.monotonic() + self.patience
        pause = 0.5
        while True:
            try:
                return self._send(method, path, body, headers or {})
            except HTTPError as error:
                refusal = _refusal(error)
                if error.code not in (429, 502, 503, 504):
                    raise refusal from None
                wait = float(error.headers.get("retry-after") or pause)
            except (URLError, HTTPException, ConnectionError, TimeoutError) as error:
                refusal = JudgeError("unreachable", f"{self.url} cannot be asked ({error}).", "Is the service running?")
                wait = pause
            if time.monotonic() + wait > until:
                raise refusal
            time.sleep(wait)
            pause = min(2 * pause, LONGEST_WAIT)

    def _send(self, method: str, path: str, body: Any, headers: dict[str, str]) -> Any:
        sent = dict(headers)
        if body is not None:
            sent["content-type"] = "application/json"
        if self.token:
            sent["authorization"] = f"Bearer {self.token}"
        data = None if body is None else json.dumps(body).encode()
        with urlopen(Request(self.url + path, data=data, headers=sent, method=method)) as reply:
            return json.load(reply)


def _refusal(error: HTTPError) -> JudgeError:
    try:
        said = json.load(error)["error"]
        return JudgeError(said["code"], said["message"], said["fix"])
    except (ValueError, KeyError, TypeError):
        return JudgeError("refused", f"{error.url} answered {error.code}.", "Is this the judge's service?")
