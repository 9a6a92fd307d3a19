"""
`vf-eval` over the task set on a CPU: a tiny Qwen3 with random weights behind an endpoint of its own, judged by the
service. It shows that the parts fit; the model babbles, so each task ends with the reward of a reply that holds no code:

    python -m ascend_cot_taskset.smoke [further options of vf-eval]
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import torch
from ascend_cot_judge.tiny import tiny_model, tiny_tokenizer

TASKS = 2
MODEL = "tiny-random"
PROMPT_TOKENS = 256
REPLY_TOKENS = 32


def babbler():
    """What answers a prompt; one at a time."""
    tokenizer = tiny_tokenizer()
    model = tiny_model(len(tokenizer))
    turn = threading.Lock()

    def babble(prompt: str) -> str:
        ids = torch.tensor([tokenizer(prompt)["input_ids"][-PROMPT_TOKENS:]])
        with turn, torch.inference_mode():
            made = model.generate(
                ids, attention_mask=torch.ones_like(ids), max_new_tokens=REPLY_TOKENS, do_sample=True, pad_token_id=0
            )
        return tokenizer.decode(made[0, ids.shape[1] :], skip_special_tokens=True)

    return babble


USAGE = {
    "prompt_tokens": PROMPT_TOKENS,
    "completion_tokens": REPLY_TOKENS,
    "total_tokens": PROMPT_TOKENS + REPLY_TOKENS,
}


def whole(text: str) -> tuple[str, str]:
    """A reply in one document: its media type and its text."""
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    reply = {"id": "1", "object": "chat.completion", "created": 0, "model": MODEL, "choices": [choice], "usage": USAGE}
    return "application/json", json.dumps(reply)


def streamed(text: str) -> tuple[str, str]:
    """The same reply as events: the text, why it ended, what it took."""
    said = {"index": 0, "delta": {"role": "assistant", "content": text}, "finish_reason": None}
    ended = {"index": 0, "delta": {}, "finish_reason": "stop"}
    chunk = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": MODEL}
    chunks = [{**chunk, "choices": [said]}, {**chunk, "choices": [ended]}, {**chunk, "choices": [], "usage": USAGE}]
    events = [json.dumps(one) for one in chunks] + ["[DONE]"]
    return "text/event-stream", "".join(f"data: {event}\n\n" for event in events)


def endpoint(babble) -> type[BaseHTTPRequestHandler]:
    class Endpoint(BaseHTTPRequestHandler):
        """`POST /v1/chat/completions`."""

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["content-length"])))
            text = babble("\n".join(str(message["content"]) for message in request["messages"])) or "…"
            media, said = streamed(text) if request.get("stream") else whole(text)
            body = said.encode()
            self.send_response(200)
            self.send_header("content-type", media)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    return Endpoint


def main(options: list[str]) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), endpoint(babbler()))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as output:
        subprocess.run(
            [
                *(str(Path(sys.executable).with_name("vf-eval")), "ascend_cot_taskset"),
                *("--env.agent.harness.id", "null", "--env.agent.runtime.type", "subprocess"),
                *("-m", MODEL, "--client.base-url", f"http://127.0.0.1:{server.server_port}/v1"),
                *("--select.limit", str(TASKS), "--no-push", "-o", output, *options),
            ],
            check=True,
        )
    server.shutdown()


if __name__ == "__main__":
    main(sys.argv[1:])
