"""A language model of the least size: a Qwen3 with random weights and a tokenizer whose tokens are bytes."""

from __future__ import annotations

from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

TEMPLATE = "{% for message in messages %}{{ message.content }}\n{% endfor %}"


def tiny_tokenizer() -> PreTrainedTokenizerFast:
    bytes_ = sorted(pre_tokenizers.ByteLevel.alphabet())
    special = ["<pad>", "<eos>"]
    vocabulary = {token: number for number, token in enumerate(special + bytes_)}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    made = PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token="<pad>", eos_token="<eos>")
    made.chat_template = TEMPLATE
    return made


def tiny_model(vocabulary: int) -> Qwen3ForCausalLM:
    config = Qwen3Config(
        vocab_size=vocabulary,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        head_dim=16,
        max_position_embeddings=1024,
    )
    return Qwen3ForCausalLM(config)
