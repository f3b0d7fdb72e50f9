"""Trains the English-French translator of web/models/translate-en-fr.

    python train_translator.py PATH/eng-fra.tsv.gz [--work FOLDER]

Writes tokenizer.json, checkpoint.npz and training.json into build/training/translate-en-fr; run
make_translator.py afterwards. Started again it goes on where it was cut off.
"""
import argparse
from functools import lru_cache
from pathlib import Path

import jax
import numpy as np
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

import loop
import pairs
import translator
from corpus import WORK, sha256, write_json

SEED = 20261130
SIZES = translator.Sizes(
    vocabulary=6000, d_model=160, heads=8, encoder_layers=2, decoder_layers=2, d_mlp=640
)
PAD, END, UNKNOWN = "<pad>", "</s>", "<unk>"
# (steps, peak of the learning rate) of each descent.
CYCLES = ((28000, 2e-3),)
SETTINGS = {"warm_up": 800, "decay": 0.01}
SMOOTHING = 0.1
DROPOUT = 0.1


def make_tokenizer(sentences, vocabulary):
    """BPE (Sennrich et al. 2016) over words, signs split off; spaces are kept as U+2581."""
    tokenizer = Tokenizer(models.BPE(unk_token=UNKNOWN))
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.NFC(),
            normalizers.Replace("\u2019", "'"),
            normalizers.Replace(Regex(r"\s+"), " "),
            normalizers.Strip(),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Metaspace(), pre_tokenizers.Punctuation("isolated")]
    )
    tokenizer.decoder = decoders.Metaspace()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary, special_tokens=[PAD, END, UNKNOWN], min_frequency=2, show_progress=False
    )
    tokenizer.train_from_iterator(sentences, trainer)
    end = tokenizer.token_to_id(END)
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"$A {END}", pair=f"$A {END} $B {END}", special_tokens=[(END, end)]
    )
    return tokenizer


class Batches:
    """The batch of each step with a seed: passes over the data, each in an order of its own."""

    def __init__(self, data, pad):
        self.data, self.pad, self.passes = data, pad, [0]
        self.of_pass = lru_cache(maxsize=1)(self._of_pass)

    def _of_pass(self, number):
        generator = np.random.default_rng([SEED, number])
        return list(pairs.batches(self.data, self.pad, generator))

    def __call__(self, step):
        while step >= self.passes[-1]:
            self.passes.append(self.passes[-1] + len(self.of_pass(len(self.passes) - 1)))
        number = int(np.searchsorted(self.passes, step, side="right")) - 1
        return *self.of_pass(number)[step - self.passes[number]], np.array([SEED, step], np.uint32)


def held_out_loss(sentences, tokenizer, pad):
    """A function of the parameters: nats a token over the first reference of each sentence."""
    data = pairs.encoded(tokenizer, [(english, french[0]) for english, french in sentences])
    data = [pair for pair in data if max(map(len, pair)) <= 24]
    tables = [pairs.padded([pair[side] for pair in data], 24, pad) for side in (0, 1)]
    measure = jax.jit(lambda p: translator.loss(p, SIZES, *tables, pad))
    return lambda p: {"heldOutLoss": float(measure(p))}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("--every", type=int, default=200)
    parser.add_argument("--work", type=Path, default=WORK / "translate-en-fr")
    options = parser.parse_args()
    split = pairs.read(options.data, SEED)
    tokenizer = make_tokenizer((s for pair in split.train for s in pair), SIZES.vocabulary)
    options.work.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(options.work / "tokenizer.json"))
    pad = tokenizer.token_to_id(PAD)
    batches = Batches(pairs.encoded(tokenizer, split.train), pad)

    def loss(p, batch):
        english, french, seed = batch
        drop = translator.Dropout(seed, DROPOUT)
        return translator.loss(p, SIZES, english, french, pad, SMOOTHING, drop)

    _, log = loop.train(
        translator.initial(SIZES, SEED),
        loss,
        batches,
        cycles=CYCLES,
        checkpoint=options.work / "checkpoint.npz",
        evaluate=held_out_loss(split.development[:500], tokenizer, pad),
        every=options.every,
        **SETTINGS,
    )
    write_json(
        options.work / "training.json",
        {
            "data": {"sha256": sha256(options.data), "pairs": len(split.train)},
            "seed": SEED,
            "sizes": vars(SIZES),
            "steps": log[-1]["step"],
            "passes": log[-1]["step"] / batches.passes[1],
            "optimiser": {"name": "AdamW", "cycles": CYCLES, **SETTINGS, "smoothing": SMOOTHING, "dropout": DROPOUT},
            "minutes": log[-1]["minutes"],
            "log": log,
        },
    )


if __name__ == "__main__":
    main()
