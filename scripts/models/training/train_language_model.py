"""Trains the language model of web/models/novels-lm.

    python train_language_model.py PATH/litbank-novels.jsonl.gz [--work FOLDER]

Writes tokenizer.json, checkpoint.npz and training.json into build/training/novels-lm; run
make_language_model.py afterwards. Started again it goes on where it was cut off.
"""
import argparse
import math
from pathlib import Path

import jax
import numpy as np
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

import language_model
import loop
import novels
from corpus import WORK, read_json, sha256, write_json

SEED = 20261130
SIZES = language_model.Sizes(
    vocabulary=4096, d_model=192, heads=6, kv_heads=2, layers=6, d_mlp=512
)
BEGIN, END = "<s>", "</s>"
STEPS, PEAK = 800, 3e-3
SETTINGS = {"warm_up": 100, "decay": 0.05}
# (share of the steps, rows, tokens): short texts first, long ones at the end. 3,072 tokens a step.
PHASES = ((0.85, 24, 128), (1.0, 12, 256))
LONGEST = PHASES[-1][2]
# Every so many paragraphs are read to find the merges.
THINNING = 8


def make_tokenizer(works, vocabulary):
    """Byte-level BPE, as GPT-2's (Radford et al. 2019): every text has tokens."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=[BEGIN, END],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    lines = (line for text in works.values() for line in text.split("\n")[::THINNING])
    tokenizer.train_from_iterator(lines, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{BEGIN} $A", special_tokens=[(BEGIN, tokenizer.token_to_id(BEGIN))]
    )
    return tokenizer


def tokens_of(tokenizer, works):
    """uint16 [n]: all works, one after the other, each followed by its end token."""
    encodings = tokenizer.encode_batch(list(works.values()), add_special_tokens=False)
    end = [tokenizer.token_to_id(END)]
    return np.concatenate([np.array(encoding.ids + end, np.uint16) for encoding in encodings])


def prepared(work, data, works):
    """(tokenizer, tokens of all works); kept in `work`, for finding them takes minutes."""
    files = {name: work / name for name in ("tokenizer.json", "tokens.npy", "tokens.json")}
    source = {"sha256": sha256(data), "works": list(works)}
    if files["tokens.json"].exists() and read_json(files["tokens.json"]) == source:
        return Tokenizer.from_file(str(files["tokenizer.json"])), np.load(files["tokens.npy"])
    work.mkdir(parents=True, exist_ok=True)
    tokenizer = make_tokenizer(works, SIZES.vocabulary)
    tokens = tokens_of(tokenizer, works)
    tokenizer.save(str(files["tokenizer.json"]))
    np.save(files["tokens.npy"], tokens)
    write_json(files["tokens.json"], source)
    return tokenizer, tokens


def phase(step):
    return next((rows, length) for share, rows, length in PHASES if step < share * STEPS)


def bits_per_byte(nats_per_token, tokens, text):
    return nats_per_token / math.log(2) * tokens / len(text.encode("utf-8"))


def held_out_figures(tokenizer, works):
    """A function of the parameters: bits per byte over the first 16,000 characters of each work."""
    text = "".join(text[:16000] for text in works.values())
    tokens = np.array(tokenizer.encode(text, add_special_tokens=False).ids)
    rows = novels.rows_of(tokens, 128, tokenizer.token_to_id(BEGIN))
    measure = jax.jit(lambda p: language_model.loss(p, SIZES, rows))
    return lambda p: {"heldOutBitsPerByte": bits_per_byte(float(measure(p)), len(tokens), text)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("--every", type=int, default=100)
    parser.add_argument("--work", type=Path, default=WORK / "novels-lm")
    options = parser.parse_args()
    works, held_out = novels.read(options.data, SEED)
    tokenizer, tokens = prepared(options.work, options.data, works)
    begin = tokenizer.token_to_id(BEGIN)

    def batch_of(step):
        generator = np.random.default_rng([SEED, step])
        return novels.windows(tokens, *phase(step), begin, generator)

    _, log = loop.train(
        language_model.initial(SIZES, SEED),
        lambda p, rows: language_model.loss(p, SIZES, rows),
        batch_of,
        cycles=((STEPS, PEAK),),
        checkpoint=options.work / "checkpoint.npz",
        evaluate=held_out_figures(tokenizer, held_out),
        every=options.every,
        **SETTINGS,
    )
    write_json(
        options.work / "training.json",
        {
            "data": {
                "sha256": sha256(options.data),
                "works": len(works),
                "tokens": len(tokens),
                "heldOut": list(held_out),
            },
            "seed": SEED,
            "sizes": vars(SIZES),
            "steps": STEPS,
            "tokensPerStep": PHASES[0][1] * PHASES[0][2],
            "longest": LONGEST,
            "optimiser": {"name": "AdamW", "peak": PEAK, **SETTINGS},
            "minutes": log[-1]["minutes"],
            "log": log,
        },
    )


if __name__ == "__main__":
    main()
