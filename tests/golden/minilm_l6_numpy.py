"""Writes the golden activations of the shipped MiniLM encoder: tests/golden/minilm-l6/*.safetensors.

Float64 from the shipped weights as dequantised (bert_numpy.py), stored as float32. Which activations
each file holds, and what they mean, is in README.md beside this file. Needs numpy, safetensors and
tokenizers; nothing else in the project needs Python.
"""
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file
from tokenizers import Tokenizer

from bert_numpy import Encoder, load_config, load_float64, mean_pooled

HERE = Path(__file__).resolve().parent
MODEL = HERE.parents[1] / "web" / "models" / "minilm-l6"

SHORT = ("The cat sat on the mat because it was tired",)
PAIR = (
    "Wait: is the bridge (built in 1931) safe?",
    "No; it's closed until May, says the mayor.",
)
LONG = (
    "The first heads that people found in a trained model were easy to describe: one looks at the "
    "word before, another at the word after, a third at the separator when it has nothing better to "
    "do. Later ones were harder. A head that finds the noun of a pronoun in one sentence may look at "
    "the comma in the next, and nobody can say whether it failed, rested, or did something for which "
    "there is no name yet.",
)

LARGE = ("attn.hook_result", "mlp.hook_pre", "mlp.hook_post")


def in_block(name, *layers):
    return any(name.startswith(f"blocks.{layer}.") for layer in layers)


def is_pattern(name):
    return name.endswith("hook_pattern")


def of_short(name):
    """Everything of blocks 0 and 5 and of the embedding; results per head of block 0 only."""
    if name.endswith("hook_result"):
        return in_block(name, 0)
    whole = not name.startswith("blocks.") or in_block(name, 0, 5)
    return whole or is_pattern(name) or name.endswith("hook_normalized_resid_post")


def of_pair(name):
    """Embedding (two token types) and block 3 without its largest activations."""
    whole = not name.startswith("blocks.") or in_block(name, 3)
    return is_pattern(name) or (whole and not name.endswith(LARGE))


SETS = {"short": (SHORT, of_short), "pair": (PAIR, of_pair), "long": (LONG, is_pattern)}


def golden(encoder, encoding, wanted):
    hidden, kept = encoder.activations(encoding.ids, encoding.type_ids, wanted)
    tensors = {name: values[None].astype(np.float32) for name, values in kept.items()}
    tensors["ids"] = np.array(encoding.ids, np.int32)
    tensors["type_ids"] = np.array(encoding.type_ids, np.int32)
    tensors["last_hidden_state"] = hidden[None].astype(np.float32)
    tensors["mean_pooled"] = mean_pooled(hidden).astype(np.float32)
    return {name: np.ascontiguousarray(values) for name, values in tensors.items()}


def main():
    tokenizer = Tokenizer.from_file(str(MODEL / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    encoder = Encoder(load_float64(MODEL / "model.safetensors"), load_config(MODEL))
    (HERE / "minilm-l6").mkdir(exist_ok=True)
    for name, (text, wanted) in SETS.items():
        encoding = tokenizer.encode(*text)
        path = HERE / "minilm-l6" / f"{name}.safetensors"
        metadata = {"text": text[0], "pair": text[1] if len(text) > 1 else ""}
        save_file(golden(encoder, encoding, wanted), path, metadata)
        print(f"{path.name}: {len(encoding.ids)} tokens, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
