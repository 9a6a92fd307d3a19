"""A model of chance with a tokenizer of its own, small enough to train in seconds: `tiny_model.py <folder>`."""

import sys

from tokenizers import Tokenizer, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast, set_seed

TEXT = "__aicore__ inline void Process() { Add(dst, src, count); } <think> of tiles </think> user assistant reasons "

tokenizer = Tokenizer(models.BPE())
tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
alphabet = pre_tokenizers.ByteLevel.alphabet()
marks = ["<|start|>", "<|end|>"]
tokenizer.train_from_iterator([TEXT] * 20, trainers.BpeTrainer(vocab_size=320, special_tokens=marks, initial_alphabet=alphabet))
fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<|start|>", eos_token="<|end|>", pad_token="<|end|>")
fast.chat_template = (
    "{% for message in messages %}<|start|>{{ message['role'] }}\n{{ message['content'] }}<|end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|start|>assistant\n{% endif %}"
)
set_seed(1)
config = LlamaConfig(
    vocab_size=len(fast),
    hidden_size=32,
    intermediate_size=64,
    num_hidden_layers=2,
    num_attention_heads=2,
    max_position_embeddings=2048,
    bos_token_id=0,
    eos_token_id=1,
    pad_token_id=1,
)
LlamaForCausalLM(config).save_pretrained(sys.argv[1])
fast.save_pretrained(sys.argv[1])
