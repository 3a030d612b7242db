"""Writes the model of the tests as a GGUF file: model.py OUT TEMPLATE

It is small, and made here, so that nothing is downloaded and every run is the same. It writes one
call, see chain.py. The server samples, checks its grammar, counts tokens and parses as with any
other model.
"""

import sys

import gguf
import numpy as np
from chain import START, one_call

BOS, EOS = 1, 2
FIRST_BYTE = 3
normal, control = gguf.TokenType.NORMAL, gguf.TokenType.CONTROL
vocabulary = [(b"<unk>", gguf.TokenType.UNKNOWN), (b"<s>", control), (b"</s>", control)]
vocabulary += [(f"<0x{byte:02X}>".encode(), gguf.TokenType.BYTE) for byte in range(256)]
vocabulary += [(bytes([byte]), normal) for byte in range(33, 127)]
vocabulary += [("\u2581".encode(), normal)]


def token(piece: str) -> int:
    if piece == START:
        return FIRST_BYTE + ord(START)
    entry = (piece.replace(" ", "\u2581").encode(), normal)
    if entry not in vocabulary:
        vocabulary.append(entry)
    return vocabulary.index(entry)


followers = {
    token(before): [token(piece) for piece in after] or [EOS]
    for before, after in one_call().items()
}

size = len(vocabulary)
width = size + size % 2
last_token = np.zeros((size, width), np.float32)
last_token[np.arange(size), np.arange(size)] = 1
next_token = np.zeros((size, width), np.float32)
for before, after in followers.items():
    next_token[after, before] = 1

out, template = sys.argv[1:]
writer = gguf.GGUFWriter(out, "llama")
writer.add_context_length(4096)
writer.add_embedding_length(width)
writer.add_block_count(1)
writer.add_feed_forward_length(32)
writer.add_head_count(1)
writer.add_head_count_kv(1)
writer.add_layer_norm_rms_eps(1e-5)
writer.add_rope_dimension_count(width)
writer.add_vocab_size(size)
writer.add_file_type(gguf.LlamaFileType.ALL_F32)
writer.add_tokenizer_model("llama")
writer.add_token_list([text for text, _ in vocabulary])
writer.add_token_scores([-float(index) for index in range(size)])
writer.add_token_types([kind for _, kind in vocabulary])
writer.add_bos_token_id(BOS)
writer.add_eos_token_id(EOS)
writer.add_unk_token_id(0)
writer.add_add_bos_token(False)
writer.add_add_space_prefix(False)
with open(template, encoding="utf-8") as file:
    writer.add_chat_template(file.read())

shapes = {
    "attn_q": (width, width),
    "attn_k": (width, width),
    "attn_v": (width, width),
    "attn_output": (width, width),
    "ffn_gate": (32, width),
    "ffn_up": (32, width),
    "ffn_down": (width, 32),
}
writer.add_tensor("token_embd.weight", last_token)
for name, shape in shapes.items():
    writer.add_tensor(f"blk.0.{name}.weight", np.zeros(shape, np.float32))
for name in ("blk.0.attn_norm", "blk.0.ffn_norm", "output_norm"):
    writer.add_tensor(f"{name}.weight", np.ones(width, np.float32))
writer.add_tensor("output.weight", next_token)
writer.write_header_to_file()
writer.write_kv_data_to_file()
writer.write_tensors_to_file()
writer.close()
