"""Writes the golden values of the losses by which heads of decoders and encoder-decoders are judged:
losses/{llama,marian,t5}.json, on the tiny checkpoints of architectures/.

Every sequence runs whole and by itself, in float64, for every change of heads: no batches, no masks,
no streams that are kept. Needs numpy and tokenizers.

    .venv/bin/python tests/golden/losses_numpy.py
"""

import itertools
import json
import struct
import sys
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

HERE = Path(__file__).resolve().parent
CHECKPOINTS = HERE / "architectures"
sys.path.insert(0, str(CHECKPOINTS))

from families_numpy import model_of  # noqa: E402
from roles_numpy import bootstrap, halves  # noqa: E402

FOLDER = HERE / "losses"
SEED = 2
TEXTS = [
    "the cat sat on the mat",
    "it is on",
    "a mat and a cat and more and more of the same",
    "i is",
    "the bear is in the water",
    "an error or two",
    "we were at the water and sat in it",
    "cats",
    "on and on and on",
]
ANSWERS = [
    ["the mat is on the cat"],
    ["it was", "is it on"],
    ["a cat"],
    ["at the water"],
    ["or an error in the mat and the cat"],
]
WORDS = ["the", "cat", "sat", "on", "mat", "in", "and", "it", "is", "wat", "be", "an", "at"]
MATCHED = 6  # samples whose answer is what the model writes


def stored(path):
    """The tensors of a safetensors file; bfloat16, which NumPy lacks, is the upper half of float32."""
    data = path.read_bytes()
    (size,) = struct.unpack("<Q", data[:8])
    tensors = {}
    for name, entry in json.loads(data[8 : 8 + size]).items():
        if name == "__metadata__":
            continue
        start, end = (8 + size + offset for offset in entry["data_offsets"])
        values = data[start:end]
        if entry["dtype"] == "BF16":
            numbers = (np.frombuffer(values, "<u2").astype(np.uint32) << 16).view(np.float32)
        else:
            types = {"F32": "<f4", "F16": "<f2", "I64": "<i8", "BOOL": "?", "U8": "u1"}
            numbers = np.frombuffer(values, types[entry["dtype"]])
        tensors[name] = numbers.reshape(entry["shape"])
    return tensors


class Model:
    """A checkpoint with heads that can be changed, judged token by token."""

    def __init__(self, name):
        folder = CHECKPOINTS / name
        self.config = json.loads((folder / "config.json").read_text())
        self.model = model_of(stored(folder / "model.safetensors"), self.config)
        self.tokenizer = Tokenizer.from_file(str(CHECKPOINTS / "tokenizer.json"))
        self.is_pair = self.config.get("is_encoder_decoder", False)
        self.never = [row[0] for row in self.config.get("bad_words_ids") or []]
        self.places, self.heads = self._places()

    def _places(self):
        """The attentions in the library's order, and how many heads each has."""
        shapes = {}
        ids = np.array([5, 6, 7])
        part = {"ids": ids, "decoder_ids": ids}
        self.model.run(part, lambda hook, values: shapes.__setitem__(hook, np.shape(values)))
        found = [hook.removesuffix(".hook_z") for hook in shapes if hook.endswith(".hook_z")]
        groups = ["blocks", "encoder", "decoder"]
        order = lambda place: (place.endswith("cross_attn"), groups.index(place.split(".")[0]))
        return sorted(found, key=order), shapes[found[0] + ".hook_z"][1]

    def encode(self, text):
        return np.array(self.tokenizer.encode(text).ids, np.int64)

    def logits(self, source, tokens, changes, kept=None):
        """[positions, V]; `changes` {(place, head): what its z becomes}."""

        def keep(hook, z):
            if not hook.endswith(".hook_z"):
                return
            place = hook.removesuffix(".hook_z")
            if kept is not None:
                kept.setdefault(place, []).append(z.copy())
            for (where, head), value in changes.items():
                if where == place:
                    z[:, head] = value  # what is read of it comes after

        inputs = {"ids": source, "decoder_ids": tokens} if self.is_pair else {"ids": tokens}
        return self.model.run(inputs, keep)

    def judge(self, sample, changes, kept=None):
        """Loss, tokens right, tokens; whether any answer is what decoding writes."""
        if self.is_pair:
            source, start = self.encode(sample[0]), self.config["decoder_start_token_id"]
            answers = [self.encode(text) for text in sample[1:]]
            runs = [(source, np.array([start, *answer[:-1]]), answer) for answer in answers]
        else:
            ids = self.encode(sample)
            runs = [(None, ids, ids[1:])]
        judged = []
        for source, tokens, labels in runs:
            logits = self.logits(source, tokens, changes, kept)[: len(labels)]
            exact = logits - logits.max(axis=1, keepdims=True)
            losses = np.log(np.exp(exact).sum(axis=1)) - exact[np.arange(len(labels)), labels]
            allowed = logits.copy()
            allowed[:, self.never] = -np.inf
            judged.append((losses.sum(), (allowed.argmax(axis=1) == labels).sum(), len(labels)))
        return *judged[0], any(right == count for _, right, count in judged)

    def greedy(self, source, count):
        tokens = [self.config["decoder_start_token_id"]]
        for _ in range(count):
            logits = self.logits(source, np.array(tokens), {})[-1]
            logits[self.never] = -np.inf
            tokens.append(int(logits.argmax()))
        return tokens[1:]


class Judged:
    """Of some samples: losses, tokens right, counts and matches."""

    def __init__(self, model, samples, changes, kept=None):
        rows = np.array([model.judge(sample, changes, kept) for sample in samples], np.float64)
        self.losses, self.right, self.counts, self.matches = rows.T
        self.loss = self.losses.sum() / self.counts.sum()
        self.accuracy = self.right.sum() / self.counts.sum()


def samples_of(model):
    if not model.is_pair:
        return TEXTS
    pairs = [[text, *answers] for text, answers in zip(TEXTS, ANSWERS)]
    for words in itertools.product(WORDS, repeat=3):
        text = " ".join(words)
        for count in (2, 1):
            tokens = model.greedy(model.encode(text), count)
            answer = model.tokenizer.decode(tokens).strip()
            if answer and list(model.encode(answer)) == tokens:
                pairs.append([text, "a mat", answer] if len(pairs) % 3 == 0 else [text, answer])
                break
        if len(pairs) == len(ANSWERS) + MATCHED:
            return pairs
    raise SystemExit("too few sources whose answer reads back as it was written")


def predicted_bytes(model, text):
    """Bytes of what is foretold: from where the second token begins."""
    start = model.tokenizer.encode(text).offsets[1][0]
    return len(text[start:].encode())


def golden(name):
    model = Model(name)
    samples = samples_of(model)
    places, heads = model.places, range(model.heads)
    every = [(place, head) for place in places for head in heads]
    zero = lambda gone: {place: 0.0 for place in gone}

    whole = Judged(model, samples, {})
    some = [every[1], every[-2]]
    half = halves(range(len(samples)), len(samples), SEED)
    selection, report = ([s for s, h in zip(samples, half) if h == which] for which in (1, 2))
    kept = {}
    chosen, base = Judged(model, selection, {}, kept), Judged(model, report, {})
    means = np.array([np.concatenate(kept[place]).mean(axis=0) for place in places])

    def leave_out(value_of):
        rows = [Judged(model, report, {place: value_of(place)}) for place in every]
        first = [Judged(model, selection, {place: value_of(place)}).loss for place in every]
        changes = np.array([row.losses - base.losses for row in rows]).T
        matches = np.array([row.matches - base.matches for row in rows]).T
        low, high = bootstrap(changes, base.counts, len(report), seed=SEED)
        match_low, match_high = bootstrap(matches, np.ones(len(report)), len(report), seed=SEED)
        return {
            "selection": np.array(first) - chosen.loss,
            "change": np.array([row.loss for row in rows]) - base.loss,
            "low": low,
            "high": high,
            "exactMatch": {"change": matches.mean(axis=0), "low": match_low, "high": match_high},
        }

    mean_of = lambda place: means[places.index(place[0]), place[1]]
    by_zero = leave_out(lambda place: 0.0)
    order = np.argsort(by_zero["selection"], kind="stable")
    half_gone = Judged(model, report, zero(every[i] for i in order[: len(every) // 2]))
    attentions = []
    for place in places:
        others = lambda kept: zero((place, head) for head in heads if head != kept)
        best = int(np.argmin([Judged(model, selection, others(head)).loss for head in heads]))
        gone = Judged(model, report, others(-1))
        attentions.append([gone.loss, best, Judged(model, report, others(best)).loss])

    summary = lambda found: {
        "loss": found.loss,
        "accuracy": found.accuracy,
        "losses": found.losses / found.counts,
        "tokens": found.counts,
        "exactMatch": found.matches.mean(),
    }
    low, high = bootstrap(whole.losses[:, None], whole.counts, len(samples), seed=SEED)
    facts = {
        "samples": samples,
        "attentions": places,
        "half": half,
        "whole": summary(whole) | {"low": low[0], "high": high[0]},
        "without": {
            "heads": [[places.index(place), head] for place, head in some],
            **summary(Judged(model, samples, zero(some))),
        },
        "means": means,
        "zero": by_zero,
        "mean": leave_out(mean_of),
        "order": order,
        "halfGone": summary(half_gone),
        "layers": np.array(attentions),
    }
    if not model.is_pair:
        total = sum(predicted_bytes(model, text) for text in samples)
        facts["bitsPerByte"] = whole.losses.sum() / np.log(2) / total
    return facts


def plain(value):
    if isinstance(value, np.ndarray):
        return [plain(item) for item in value]
    return float(f"{value:.9g}") if isinstance(value, np.floating) else value.item()


def main():
    FOLDER.mkdir(exist_ok=True)
    for name in ("llama", "marian", "t5"):
        facts = golden(name)
        (FOLDER / f"{name}.json").write_text(json.dumps(facts, default=plain) + "\n")
        print(f"{name}: loss {facts['whole']['loss']:.4f}, matched {facts['whole']['exactMatch']:.2f}")


if __name__ == "__main__":
    main()
