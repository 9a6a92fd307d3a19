"""
A Qwen3 of random weights, and byte pairs learnt from the rows that it is to read: `tiny_qwen3.py <folder> <rows>…`.
Nothing is downloaded; single bytes alone would make sequences of tens of thousands of tokens.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import trl
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM, set_seed

SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
THOUGHT = ["<think>", "</think>"]


VOCABULARY = 2048


def texts(files: list[str]) -> Iterator[str]:
    for file in files:
        for row in pq.read_table(file).to_pylist():
            for value in row.values():
                if isinstance(value, list):
                    yield from (turn["content"] for turn in value if isinstance(turn, dict) and "content" in turn)


def tokenizer(files: list[str]) -> PreTrainedTokenizerFast:
    words = Tokenizer(models.BPE())
    words.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    words.decoder = decoders.ByteLevel()
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    learner = trainers.BpeTrainer(vocab_size=VOCABULARY, initial_alphabet=alphabet, show_progress=False)
    words.train_from_iterator(texts(files), learner)
    words.add_special_tokens([AddedToken(token, special=True) for token in SPECIAL])
    words.add_tokens([AddedToken(token, special=False) for token in THOUGHT])
    made = PreTrainedTokenizerFast(tokenizer_object=words, pad_token="<|endoftext|>", eos_token="<|im_end|>")
    made.chat_template = (Path(trl.__file__).parent / "chat_templates" / "qwen3.jinja").read_text()
    return made


def model(vocabulary: int) -> Qwen3ForCausalLM:
    return Qwen3ForCausalLM(
        Qwen3Config(
            vocab_size=vocabulary,
            hidden_size=64,
            intermediate_size=128,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
            head_dim=16,
            max_position_embeddings=32768,
            tie_word_embeddings=True,
        )
    )


def main(folder: str, files: list[str]) -> None:
    set_seed(42)
    words = tokenizer(files)
    words.save_pretrained(folder)
    model(len(words)).save_pretrained(folder)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
