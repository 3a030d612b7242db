"""Writes the models of chain.py in MLX's form, each as a folder: mlx_models.py OUT TEMPLATE

The next token depends on the last one only. mlx_lm samples, counts tokens and parses as with any
other model.
"""

import json
import sys
from pathlib import Path

import numpy as np
from chain import START, Chain, one_call, tagged_call, thinking, two_calls
from safetensors.numpy import save_file

UNKNOWN, BOS, EOS = "<unk>", "<s>", "</s>"
SPACE = "\u2581"
WINDOW = 512  # for the test of a prompt that is larger
# The models of Qwen3 begin a reply in another way, too, if they must not think.
NO_THINKING = "{%- if add_generation_prompt and not enable_thinking %} {% endif %}"
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
# mlx_lm finds the parser in most templates by itself, and its `convert` writes it down.
MODELS = {
    "one": (one_call(), "json_tools"),
    "two": (two_calls(), "json_tools"),
    "thinking": (thinking(), "json_tools"),
    "glm": (tagged_call(), "glm47"),
    "longcat": (tagged_call("longcat_"), "longcat"),
}


def vocabulary_of(chain: Chain) -> dict[str, int]:
    pieces = [name_of(piece) for piece in chain]
    names = [UNKNOWN, BOS, EOS, *BYTES, *map(chr, range(33, 127)), SPACE, *pieces]
    return {name: index for index, name in enumerate(dict.fromkeys(names))}


def name_of(piece: str) -> str:
    return BYTES[ord(START)] if piece == START else piece.replace(" ", SPACE)


def tokenizer_of(vocabulary: dict[str, int]) -> dict:
    special = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    return {
        "version": "1.0",
        "added_tokens": [
            {"id": vocabulary[name], "content": name, "special": True, **special}
            for name in (UNKNOWN, BOS, EOS)
        ],
        "normalizer": {"type": "Replace", "pattern": {"String": " "}, "content": SPACE},
        "decoder": {
            "type": "Sequence",
            "decoders": [
                {"type": "Replace", "pattern": {"String": SPACE}, "content": " "},
                {"type": "ByteFallback"},
                {"type": "Fuse"},
            ],
        },
        "model": {
            "type": "BPE",
            "unk_token": UNKNOWN,
            "byte_fallback": True,
            "vocab": vocabulary,
            "merges": [],
        },
    }


def weights_of(chain: Chain, vocabulary: dict[str, int], width: int) -> dict[str, np.ndarray]:
    size = len(vocabulary)
    last_token = np.eye(size, width, dtype=np.float32)
    next_token = np.zeros((size, width), np.float32)
    for before, after in chain.items():
        for piece in map(name_of, after or [EOS]):
            next_token[vocabulary[piece], vocabulary[name_of(before)]] = 1
    layer = "model.layers.0"
    zeros = {
        **{f"self_attn.{name}_proj": (width, width) for name in "qkvo"},
        "mlp.gate_proj": (32, width),
        "mlp.up_proj": (32, width),
        "mlp.down_proj": (width, 32),
    }
    norms = [f"{layer}.input_layernorm", f"{layer}.post_attention_layernorm", "model.norm"]
    return {
        "model.embed_tokens.weight": last_token,
        "lm_head.weight": next_token,
        **{f"{layer}.{name}.weight": np.zeros(shape, np.float32) for name, shape in zeros.items()},
        **{f"{name}.weight": np.ones(width, np.float32) for name in norms},
    }


def write(folder: Path, chain: Chain, parser: str, template: str) -> None:
    vocabulary = vocabulary_of(chain)
    width = len(vocabulary) + len(vocabulary) % 2
    files = {
        "config.json": {
            "model_type": "llama",
            "hidden_size": width,
            "intermediate_size": 32,
            "num_hidden_layers": 1,
            "num_attention_heads": 1,
            "rms_norm_eps": 1e-5,
            "vocab_size": len(vocabulary),
            "max_position_embeddings": WINDOW,
            "tie_word_embeddings": False,
            "eos_token_id": vocabulary[EOS],
        },
        "tokenizer.json": tokenizer_of(vocabulary),
        "tokenizer_config.json": {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "bos_token": BOS,
            "eos_token": EOS,
            "unk_token": UNKNOWN,
            "clean_up_tokenization_spaces": False,
            "model_max_length": WINDOW,
            "chat_template": template,
            "tool_parser_type": parser,
        },
    }
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    save_file(weights_of(chain, vocabulary, width), folder / "model.safetensors")


out, template_file = map(Path, sys.argv[1:])
for name, (chain, parser) in MODELS.items():
    template = template_file.read_text(encoding="utf-8")
    write(out / name, chain, parser, template + (NO_THINKING if name == "thinking" else ""))
