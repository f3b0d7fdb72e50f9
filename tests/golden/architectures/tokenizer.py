"""A byte-level BPE tokenizer of 60 tokens in the format of tokenizer.json, shared by the checkpoints.

It knows lower-case letters and the space before a word; the checkpoints' weights are random, so it
only has to turn texts into ids and back.
"""
import string

SPECIAL = ["<pad>", "<unk>", "<s>", "</s>", "<mask>"]
SPACE = "\u0120"  # how byte-level tokenizers write a space
MERGES = """
Ġ t|h e|Ġt he|a t|Ġ c|Ġc at|Ġ s|Ġs at|Ġ o|Ġo n|Ġ m|Ġm at|i n|Ġ in|a n|Ġ an|Ġan d|e r|o r|Ġ i|Ġi t
Ġi s|Ġ w|Ġw at|o n|r e|Ġ b|Ġb e
""".strip().replace("\n", "|").split("|")


def tokenizer_json(size):
    words = SPECIAL + list(string.ascii_lowercase) + [SPACE]
    words += [merge.replace(" ", "") for merge in MERGES]
    if len(words) != size or len(set(words)) != size:
        raise ValueError(f"tokenizer: expected {size} different tokens, received {len(set(words))}")
    added = [
        {"id": i, "content": word, "special": True, "normalized": False, "single_word": False}
        | {"lstrip": False, "rstrip": False}
        for i, word in enumerate(SPECIAL)
    ]
    byte_level = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": added,
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": byte_level | {"use_regex": True},
        "post_processor": None,
        "decoder": byte_level | {"use_regex": True},
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": "<unk>",
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "vocab": {word: i for i, word in enumerate(words)},
            "merges": MERGES,
        },
    }
