"""Measures web/models/novels-lm and writes the figures into its card, README.md.

    python check_language_model.py PATH/litbank-novels.jsonl.gz [--work FOLDER]

Bits per byte on held-out novels, of the shipped int8 weights, of the trained ones, and of a bigram
model of the same tokens; exits with 1 where the shipped model is no better than the bigrams.
"""
import argparse
import math
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from tokenizers import Tokenizer

import language_model
import novels
from corpus import MODELS, WORK, read_json
from loop import restore
from make_language_model import NAME
from shipped import load, loss_table, write_card
from train_language_model import BEGIN, LONGEST, SEED, SIZES, bits_per_byte, prepared

CHARACTERS = 200_000  # of each held-out work
ROWS = 16
# Ours, continued greedily for the card.
PROMPT = "The old man closed the door of the library, and"
CONTINUED = 40


class Bigrams:
    """P(b | a) = w2 n(ab) / n(a) + w1 n(b) / n + w0 / V, the weights found on tokens kept apart."""

    WEIGHTS = [(two, one) for two in np.arange(0.3, 0.96, 0.05) for one in np.arange(0.02, 0.99 - two, 0.04)]

    def __init__(self, tokens, vocabulary):
        self.vocabulary = vocabulary
        counted, kept = np.split(tokens.astype(np.int64), [len(tokens) * 49 // 50])
        self.single = np.bincount(counted, minlength=vocabulary)
        pairs = counted[:-1] * vocabulary + counted[1:]
        self.codes, self.counts = np.unique(pairs, return_counts=True)
        self.weights = min(self.WEIGHTS, key=lambda weights: self.nats(kept, weights))

    def nats(self, tokens, weights=None):
        """Mean over the tokens after the first."""
        two, one = weights or self.weights
        tokens = tokens.astype(np.int64)
        wanted = tokens[:-1] * self.vocabulary + tokens[1:]
        place = np.minimum(np.searchsorted(self.codes, wanted), len(self.codes) - 1)
        both = np.where(self.codes[place] == wanted, self.counts[place], 0)
        before = np.maximum(self.single[tokens[:-1]], 1)
        alone = self.single[tokens[1:]] / self.single.sum()
        return -np.log(two * both / before + one * alone + (1 - two - one) / self.vocabulary).mean()


def model_nats(p, tokens, begin):
    """Mean over pieces of LONGEST - 1 tokens, each behind the begin token and read by itself."""
    rows = novels.rows_of(tokens, LONGEST - 1, begin)
    measure = jax.jit(lambda p, rows: language_model.loss(p, SIZES, rows))
    whole = rows[: len(rows) // ROWS * ROWS].reshape(-1, ROWS, rows.shape[1])
    return float(np.mean([measure(p, part) for part in whole]))


def continued(p, tokenizer):
    ids = tokenizer.encode(PROMPT).ids
    score = jax.jit(lambda p, ids: language_model.logits(p, SIZES, ids))
    table = np.zeros((1, len(ids) + CONTINUED), np.int32)
    table[0, : len(ids)] = ids
    for place in range(len(ids), table.shape[1]):
        table[0, place] = int(score(p, table)[0, place - 1].argmax())
    return tokenizer.decode(table[0].tolist())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("--work", type=Path, default=WORK / NAME)
    options = parser.parse_args()
    works, held_out = novels.read(options.data, SEED)
    shipped, _ = load(NAME)
    tokenizer = Tokenizer.from_file(str(MODELS / NAME / "tokenizer.json"))
    begin = tokenizer.token_to_id(BEGIN)
    training = read_json(options.work / "training.json")
    text = "".join(work[:CHARACTERS] for work in held_out.values())
    tokens = np.array(tokenizer.encode(text, add_special_tokens=False).ids)
    trained = restore(options.work / "checkpoint.npz")[0]
    both = {"shipped": {n: jnp.asarray(v, jnp.float32) for n, v in shipped.items()}, "trained": trained}
    nats = {kind: model_nats(p, tokens, begin) for kind, p in both.items()}
    nats["bigram"] = Bigrams(prepared(options.work, options.data, works)[1], SIZES.vocabulary).nats(tokens)
    bits = {kind: bits_per_byte(value, len(tokens), text) for kind, value in nats.items()}
    for kind, value in bits.items():
        print(f"{kind}: {value:.4f} bits per byte, {nats[kind]:.4f} nats a token", flush=True)
    figures = {
        "parameters": f"{sum(v.size for v in shipped.values()):,}",
        "bytes": f"{sum(f.stat().st_size for f in (MODELS / NAME).iterdir()) / 1e6:.1f} MB",
        "works": training["data"]["works"],
        "tokens": f"{training['data']['tokens'] / 1e6:.1f} million",
        "held_out": ", ".join(f"`{name}`" for name in held_out),
        "held_out_bytes": f"{len(text.encode()):,}",
        "bytes_per_token": f"{len(text.encode()) / len(tokens):.2f}",
        "data_sha256": training["data"]["sha256"],
        "steps": f"{training['steps']:,}",
        "seen": f"{training['steps'] * training['tokensPerStep'] / 1e6:.1f} million",
        "minutes": f"{training['minutes']:.0f}",
        "losses": loss_table(training["log"], "heldOutBitsPerByte"),
        "continued": continued(both["shipped"], tokenizer),
        **{f"{kind}_bits": f"{value:.3f}" for kind, value in bits.items()},
        **{f"{kind}_perplexity": f"{math.exp(value):.1f}" for kind, value in nats.items()},
    }
    write_card(NAME, Path(__file__).with_name("language_model_card.md"), figures)
    sys.exit(bool(bits["shipped"] >= bits["bigram"]))


if __name__ == "__main__":
    main()
