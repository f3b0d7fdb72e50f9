"""Writes the golden values of the head lab: roles/cases.safetensors (small random maps) and
roles/minilm-l6.json, roles/minilm-l6.safetensors (the shipped encoder).

Word-level attention as matrix products, predictions by argmax, intervals by drawing sentences one by
one: float64 and none of the library's code. Needs numpy, safetensors and tokenizers.

    .venv/bin/python tests/golden/roles_numpy.py
"""

import json
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file
from tokenizers import Tokenizer

from bert_numpy import Encoder, load_config, load_float64, mean_pooled, softmax

HERE = Path(__file__).resolve().parent
MODEL = HERE.parents[1] / "web" / "models" / "minilm-l6"
FOLDER = HERE / "roles"

OFFSETS = [-5, -4, -3, -2, -1, 1, 2, 3, 4, 5]
TEXT, PUNCTUATION, FIRST, SEPARATOR = range(4)
MEASURES = ["previous", "next", "first", "separator", "punctuation", "self", "duplicate", "entropy"]
RESAMPLES = 200


# --- Random numbers of the library ---------------------------------------------------------------


def splitmix64(seed):
    """Numbers from 0 to below 1: those the bootstrap draws with."""
    state = seed
    mask = 2**64 - 1
    while True:
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        yield ((z ^ (z >> 31)) >> 11) * 2.0**-53


def mulberry32(seed):
    """Numbers from 0 to below 1: those that halves and orders are shuffled with."""
    mask = 2**32 - 1
    state = seed
    while True:
        state = (state + 0x6D2B79F5) & mask
        z = ((state ^ (state >> 15)) * (state | 1)) & mask
        z ^= (z + ((z ^ (z >> 7)) * (z | 61))) & mask
        yield ((z ^ (z >> 14)) & mask) / 2**32


def shuffled(items, random):
    order = list(items)
    for i in range(len(order) - 1, 0, -1):
        other = int(next(random) * (i + 1))
        order[i], order[other] = order[other], order[i]
    return order


def halves(used, count, seed):
    half = np.zeros(count, np.uint8)
    for place, item in enumerate(shuffled(used, mulberry32(seed))):
        half[item] = 1 + place % 2
    return half


def bootstrap(values, counts, samples, seed, resamples=RESAMPLES):
    """2.5 and 97.5 % quantiles of sum(values) / sum(counts), samples drawn with replacement."""
    random = splitmix64(seed)
    ratios = []
    for _ in range(resamples):
        drawn = [int(next(random) * samples) for _ in range(samples)]
        total = counts[drawn].sum()
        ratios.append(values[drawn].sum(axis=0) / total if total > 0 else values[0] * np.nan)
    ratios = np.array(ratios)
    if np.isnan(ratios).all():
        return ratios[0], ratios[0]
    return np.nanpercentile(ratios, 2.5, axis=0), np.nanpercentile(ratios, 97.5, axis=0)


# --- Roles ---------------------------------------------------------------------------------------


def membership(token_words, words):
    """[words, tokens]: 1 where the token is the word's."""
    return (np.arange(words)[:, None] == np.asarray(token_words)[None, :]).astype(np.float64)


def word_maps(patterns, token_words, words):
    """Patterns [N, S, S] as [N, words, words]: sum to, mean from."""
    of = membership(token_words, words)
    count = of.sum(axis=1)
    return (of / np.maximum(count, 1)[:, None]) @ patterns @ of.T, count > 0


def predictions(maps, has_token):
    """[2, N, words]: the other word with most weight, in both directions."""
    hidden = np.eye(len(has_token), dtype=bool) | ~has_token[None, :]
    forth = np.where(hidden, -1.0, maps)
    back = np.where(hidden, -1.0, maps.transpose(0, 2, 1))
    return np.stack([forth.argmax(axis=2), back.argmax(axis=2)])


def judged_words(heads, has_token):
    return [d for d, h in enumerate(heads) if h >= 0 and has_token[d] and has_token[h]]


def role_scores(sentences, relations, columns, seed):
    """Everything about relations: `sentences` have half, heads, relations and predictions [2N, W]."""
    result = {}
    report = [s for s in sentences if s["half"] == 2]
    for relation in range(relations):
        def counts(sentence, of=relation):
            words = [d for d in sentence["judged"] if sentence["relations"][d] == of]
            heads = np.array(sentence["heads"], int)[words]
            right = sentence["predicted"][:, words] == heads if words else np.zeros((columns, 0))
            offsets = [np.sum(heads - words == o) if words else 0 for o in OFFSETS]
            return len(words), right.sum(axis=1), np.array(offsets)

        def total(half, of=relation):
            parts = [counts(s, of) for s in sentences if s["half"] == half]
            zero = (0, np.zeros(columns), np.zeros(len(OFFSETS), int))
            return [sum((part[i] for part in parts), zero[i]) for i in range(3)]

        n_selection, right_selection, offsets_selection = total(1)
        n_report, right_report, offsets_report = total(2)
        best = int(np.argmax(offsets_selection))
        parts = [counts(s) for s in report]
        n = np.array([part[0] for part in parts], float)
        right = np.array([part[1] for part in parts], float).reshape(len(parts), columns)
        baseline = np.array([part[2][best] for part in parts], float)
        low, high = bootstrap(right, n, len(report), seed)
        gain_low, gain_high = bootstrap(right - baseline[:, None], n, len(report), seed)
        with np.errstate(invalid="ignore", divide="ignore"):
            row = {
                "selection": right_selection / n_selection if n_selection else right_selection * np.nan,
                "accuracy": right_report / n_report if n_report else right_report * np.nan,
                "low": low, "high": high, "gain_low": gain_low, "gain_high": gain_high,
                "judged": [n_selection, n_report],
                "baselines": [
                    OFFSETS[best],
                    offsets_selection[best] / n_selection if n_selection else np.nan,
                    offsets_report[best] / n_report if n_report else np.nan,
                ],
            }
        for name, values in row.items():
            result.setdefault(name, []).append(np.asarray(values, np.float64))
    return {name: np.stack(rows) for name, rows in result.items()}


def measure(patterns, kinds, ids):
    """[8, N] sums over the text's rows, and [8] how many rows each has."""
    kinds, ids = np.asarray(kinds), np.asarray(ids)
    text = kinds <= PUNCTUATION
    length = len(kinds)
    rows = np.flatnonzero(text)
    same = (ids[:, None] == ids[None, :]) & text[:, None] & text[None, :] & ~np.eye(length, dtype=bool)
    masks = {
        "previous": np.eye(length, k=-1) * text[:, None] * text[None, :],
        "next": np.eye(length, k=1) * text[:, None] * text[None, :],
        "first": text[:, None] & (kinds == FIRST)[None, :],
        "separator": text[:, None] & (kinds == SEPARATOR)[None, :],
        "punctuation": text[:, None] & (kinds == PUNCTUATION)[None, :],
        "self": np.diag(text),
        "duplicate": same,
    }
    sums = [(patterns * mask).sum(axis=(1, 2)) for mask in masks.values()]
    with np.errstate(divide="ignore", invalid="ignore"):
        entropy = -np.where(patterns > 0, patterns * np.log(patterns), 0).sum(axis=2)
    sums.append(entropy[:, rows].sum(axis=1))
    counts = [len(rows)] * len(MEASURES)
    counts[0] = int(masks["previous"].sum())
    counts[1] = int(masks["next"].sum())
    counts[6] = int(same.any(axis=1).sum())
    return np.array(sums), np.array(counts, float)


def measure_scores(parts):
    """Means, their errors, rows: `parts` are (sums, counts) of sentences."""
    sums = np.array([part[0] for part in parts])  # [sentences, 8, N]
    counts = np.array([part[1] for part in parts])  # [sentences, 8]
    rows = counts.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = sums.sum(axis=0) / rows[:, None]
        number = (counts > 0).sum(axis=0)[:, None].astype(float)
        spread = ((sums - means[None] * counts[:, :, None]) ** 2).sum(axis=0)
        errors = np.where(
            number > 1, np.sqrt(spread * number / (number - 1)) / rows[:, None], np.nan
        )
    return means, errors, rows


# --- Small random maps -----------------------------------------------------------------------------


def random_case(random, layers, heads, relations, sentences, ties):
    case = {key: [] for key in ("heads", "relation_ids", "words", "kinds", "ids", "patterns")}
    word_offsets, token_offsets, half, scored, measured = [0], [0], [], [], []
    for s in range(sentences):
        words = int(random.integers(1, 9))
        parts = random.integers(0, 4, words) if s % 3 else np.ones(words, int)
        token_words = np.concatenate([[-1], np.repeat(np.arange(words), parts), [-1]]).astype(int)
        length = len(token_words)
        kinds = np.where(random.random(length) < 0.2, PUNCTUATION, TEXT)
        kinds[0], kinds[-1] = FIRST, SEPARATOR
        ids = random.integers(0, 5, length)
        tree = [int(random.integers(-1, words)) for _ in range(words)]
        tree = [-1 if head == d else head for d, head in enumerate(tree)]
        relation_ids = random.integers(0, relations, words)
        if ties:
            patterns = random.choice([0.0, 0.25, 0.5], (layers * heads, length, length))
        else:
            patterns = softmax(2 * random.standard_normal((layers * heads, length, length)))
        patterns = patterns.astype(np.float32)
        # The last sentences are left out; the fourth relation is in the report half only.
        which = 0 if s >= sentences - 2 else int(random.integers(1, 3))
        if which == 1:
            relation_ids = np.minimum(relation_ids, relations - 2)
        case["heads"] += tree
        case["relation_ids"] += list(relation_ids)
        case["words"] += list(token_words)
        case["kinds"] += list(kinds)
        case["ids"] += list(ids)
        case["patterns"].append(patterns.ravel())
        word_offsets.append(len(case["heads"]))
        token_offsets.append(len(case["words"]))
        half.append(which)
        if which == 0:
            continue
        maps, has_token = word_maps(patterns.astype(np.float64), token_words, words)
        scored.append({
            "half": which, "heads": tree, "relations": list(relation_ids),
            "predicted": predictions(maps, has_token).reshape(2 * layers * heads, words),
            "judged": judged_words(tree, has_token),
        })
        measured.append(measure(patterns.astype(np.float64), kinds, ids))
    scores = role_scores(scored, relations, 2 * layers * heads, seed=7)
    means, errors, rows = measure_scores(measured)
    tensors = {name: np.array(case[name], np.int32) for name in ("heads", "relation_ids", "words", "kinds", "ids")}
    tensors |= {
        "patterns": np.concatenate(case["patterns"]),
        "offsets": np.array(word_offsets, np.int32),
        "token_offsets": np.array(token_offsets, np.int32),
        "halves": np.array(half, np.int32),
        "means": means.astype(np.float32), "errors": errors.astype(np.float32),
        "rows": rows.astype(np.float32),
    }
    return tensors | {name: values.astype(np.float32) for name, values in scores.items()}


def coreference(patterns, mention, antecedent, other, text):
    """[5, N]: right, control, most attended, weight, weight of other rows; masks over tokens."""
    outside = text & ~mention & ~antecedent & ~other
    to = lambda rows, columns: patterns[:, rows][:, :, columns].sum(axis=2)
    right = to(mention, antecedent).mean(axis=1) > to(mention, other).mean(axis=1)
    control = (to(outside, antecedent) > to(outside, other)).mean(axis=1)
    seen = np.where(text & ~mention, patterns[:, mention].mean(axis=1), -1)
    return np.array([
        right, control, antecedent[seen.argmax(axis=1)],
        to(mention, antecedent).mean(axis=1), to(outside, antecedent).mean(axis=1),
    ], float)


def coreference_case(random, heads, length):
    patterns = softmax(2 * random.standard_normal((heads, length, length))).astype(np.float32)
    kinds = np.ones(length, int)
    kinds[[0, -1]] = 0
    kinds[[7, 8]], kinds[[2, 3]], kinds[5] = 2, 3, 4
    values = coreference(patterns.astype(np.float64), *(kinds == k for k in (2, 3, 4)), kinds > 0)
    return {
        "coreference.patterns": patterns, "coreference.kinds": kinds.astype(np.int32),
        "coreference.values": values.astype(np.float32),
    }


def contrastive(a, b, scale=20.0):
    """Losses [N] and whether each pair's own score is the first largest."""
    scores = scale * a @ b.T
    probabilities = softmax(scores)
    return -np.log(np.diag(probabilities)), scores.argmax(axis=1) == np.arange(len(a))


def contrastive_case(random, pairs, width):
    a, b = (random.standard_normal((pairs, width)).astype(np.float32) for _ in range(2))
    b += a
    a, b = (x / np.linalg.norm(x, axis=1, keepdims=True) for x in (a, b))
    losses, right = contrastive(a.astype(np.float64), b.astype(np.float64), 5.0)
    low, high = bootstrap(losses[:, None], np.ones(pairs), pairs, 3)
    return {
        "contrastive.a": a, "contrastive.b": b, "contrastive.losses": losses.astype(np.float32),
        "contrastive.right": right.astype(np.float32),
        "contrastive.interval": np.array([low[0], high[0]], np.float32),
    }


# --- The shipped encoder ---------------------------------------------------------------------------

TREES = """\
# text = The tired cat sat on the old mat.
the det 3|tired amod 3|cat nsubj 4|sat root 0|on case 8|the det 8|old amod 8|mat obl 4|. punct 4
# text = She doesn't unwrap the presents.
She nsubj 4|does aux 4|n't advmod 4|unwrap root 0|the det 6|presents obj 4|. punct 4
# text = Birds sing
Birds nsubj 2|sing root 0
# text = Yes
Yes root 0
# text = The chef gave the waiter a marzipan cake, and the waiter thanked him.
The det 2|chef nsubj 3|gave root 0|the det 5|waiter iobj 3|a det 8|marzipan compound 8|cake obj 3|, punct 13|and cc 13|the det 12|waiter nsubj 13|thanked conj 3|him obj 13|. punct 3
# text = He opened the door and she closed the window.
He nsubj 2|opened root 0|the det 4|door obj 2|and cc 7|she nsubj 7|closed conj 2|the det 9|window obj 7|. punct 2
# text = Old wizards write unreadable letters
Old amod 2|wizards nsubj 3|write root 0|unreadable amod 5|letters obj 3
# text = A letter came for the neighbours.
A det 2|letter nsubj 3|came root 0|for case 6|the det 6|neighbours obl 3|. punct 3
"""
REFERENCES = [
    # text, mention, antecedent, other: the place that is meant is the first of the word
    ("The cat sat on the mat because it was tired", "it", "cat", "mat"),
    ("Alice lost her key, so she asked Tom to open the door", "she", "Alice", "Tom"),
    ("Tom phoned Alice before he left", "he", "Tom", "Alice"),
]
PAIRS = [
    ("The cat is asleep on the sofa.", "A cat sleeps on the couch."),
    ("He did not pay the bill.", "The bill was left unpaid by him."),
    ("The dog bit the man.", "The man was bitten by the dog."),
    ("It rained all night long.", "The rain did not stop until morning."),
    ("The man bit the dog.", "The dog was bitten by the man."),
    ("She paid the bill at once.", "The bill was settled by her immediately."),
]


def treebank():
    """TREES as CoNLL-U, and as lists."""
    sentences, lines = [], []
    for comment, row in zip(*[iter(TREES.splitlines())] * 2):
        text = comment.split(" = ")[1]
        words, at = [], 0
        lines.append(comment)
        for number, word in enumerate(row.split("|"), 1):
            form, relation, head = word.split()
            start = text.lower().index(form.lower(), at)
            at = start + len(form)
            form = text[start:at]
            words.append((form, relation, int(head) - 1, (start, at)))
            after = "_" if text[at : at + 1] == " " else "SpaceAfter=No"
            lines.append("\t".join([str(number), form, "_", "_", "_", "_", head, relation, "_", after]))
        lines.append("")
        sentences.append((text, words))
    return "\n".join(lines) + "\n", sentences


def word_of(offsets, words):
    """The word that a token overlaps most, the first of equal ones."""
    start, end = offsets
    shared = [min(end, stop) - max(start, begin) for begin, stop in words]
    return int(np.argmax(shared)) if end > start and max(shared) > 0 else -1


def run_patterns(encoder, encoding):
    _, kept = encoder.activations(encoding.ids, wanted=lambda name: name.endswith("hook_pattern"))
    return np.concatenate([kept[f"blocks.{layer}.attn.hook_pattern"] for layer in range(6)])


def role_golden(encoder, tokenizer):
    conllu, sentences = treebank()
    used = [i for i, (_, words) in enumerate(sentences) if len(words) >= 2]
    half = halves(used, len(sentences), seed=5)
    names = list(dict.fromkeys(r for _, words in sentences for _, r, h, _ in words if h >= 0))
    scored, measured, tensors = [], [], {"sentence": [], "word": [], "predicted": [], "margin": []}
    for i in used:
        text, words = sentences[i]
        encoding = tokenizer.encode(text)
        spans = [span for *_, span in words]
        token_words = [word_of(offsets, spans) for offsets in encoding.offsets]
        patterns = run_patterns(encoder, encoding)
        maps, has_token = word_maps(patterns, token_words, len(words))
        heads = [head for _, _, head, _ in words]
        predicted = predictions(maps, has_token).reshape(144, len(words))
        judged = judged_words(heads, has_token)
        scored.append({
            "half": half[i], "heads": heads, "predicted": predicted, "judged": judged,
            "relations": [names.index(r) if h >= 0 else -1 for _, r, h, _ in words],
        })
        kinds = [
            FIRST if k == 0 else SEPARATOR if a == b
            else PUNCTUATION if all(c in ".,'" for c in text[a:b]) else TEXT
            for k, (a, b) in enumerate(encoding.offsets)
        ]
        measured.append(measure(patterns, kinds, encoding.ids))
        both = np.stack([maps, maps.transpose(0, 2, 1)]).reshape(144, len(words), len(words))
        for d in judged:
            others = np.delete(both[:, d, :], d, axis=1)
            ordered = np.sort(others, axis=1)
            gap = ordered[:, -1] - ordered[:, -2] if others.shape[1] > 1 else np.ones(144)
            tensors["sentence"].append(i)
            tensors["word"].append(d)
            tensors["predicted"].append(predicted[:, d])
            tensors["margin"].append(gap)
    scores = role_scores(scored, len(names), 144, seed=5)
    means, errors, _ = measure_scores(measured)
    arrays = {
        "sentence": np.array(tensors["sentence"], np.int32),
        "word": np.array(tensors["word"], np.int32),
        "predicted": np.array(tensors["predicted"], np.int32),
        "margin": np.array(tensors["margin"], np.float32),
        "means": means.astype(np.float32), "errors": errors.astype(np.float32),
    }
    arrays |= {name: values.astype(np.float32) for name, values in scores.items()}
    return {"treebank": conllu, "relations": names, "half": half.tolist()}, arrays


def reference_golden(encoder, tokenizer):
    examples, values = [], []
    for text, *names in REFERENCES:
        spans = []
        for name in names:
            start = (" " + text + " ").index(f" {name} ")
            spans.append((start, start + len(name)))
        encoding = tokenizer.encode(text)
        offsets = np.array(encoding.offsets)
        text_mask = offsets[:, 1] > offsets[:, 0]
        masks = [(offsets[:, 0] < end) & (offsets[:, 1] > start) & text_mask for start, end in spans]
        values.append(coreference(run_patterns(encoder, encoding), *masks, text_mask))
        examples.append({"text": text, **dict(zip(("mention", "antecedent", "other"), spans))})
    return examples, np.array(values).transpose(1, 0, 2)


class EditedEncoder(Encoder):
    """An encoder that changes z [S, H, D] of a layer before W_O, and can start at a layer."""

    edit = staticmethod(lambda layer, z: z)

    def streams(self, ids):
        """What enters each layer, and the last hidden state."""
        x = self._embed(np.asarray(ids), np.zeros(len(ids), int), lambda name, values: None)
        streams = [x]
        for layer in range(self.num_layers):
            streams.append(self._block(layer, streams[-1], lambda name, values: None))
        return streams

    def run_from(self, layer, x):
        for later in range(layer, self.num_layers):
            x = self._block(later, x, lambda name, values: None)
        return x

    def _attention(self, prefix, x, keep):
        length, width = x.shape
        parts = {
            name: self._linear(f"{prefix}attention.self.{name}", x).reshape(length, self.num_heads, -1)
            for name in ("query", "key", "value")
        }
        scale = np.sqrt(width / self.num_heads)
        pattern = softmax(np.einsum("qhd,khd->hqk", parts["query"], parts["key"]) / scale)
        z = np.einsum("hqk,khd->qhd", pattern, parts["value"])
        z = self.edit(int(prefix.split(".")[2]), z.copy())
        return self._linear(prefix + "attention.output.dense", z.reshape(length, width))


class PairLosses:
    """The losses of some pairs with heads changed; streams of the unchanged model are kept."""

    def __init__(self, encoder, encodings):
        self.encoder = encoder
        encoder.edit = lambda layer, z: z
        self.streams = [[encoder.streams(e.ids) for e in pair] for pair in encodings]

    def __call__(self, changes, start=0):
        """`changes` {(layer, head): value}, none of them before layer `start`: losses, right."""
        def edit(layer, z):
            for (where, head), value in changes.items():
                if where == layer:
                    z[:, head] = value
            return z

        self.encoder.edit = edit
        hidden = [[self.encoder.run_from(start, one[start]) for one in pair] for pair in self.streams]
        vectors = np.array([[mean_pooled(one) for one in pair] for pair in hidden])
        return contrastive(vectors[:, 0], vectors[:, 1])


def mean_outputs(encoder, encodings):
    """[layers, heads, D]: every head's mean output over all tokens."""
    kept = [[] for _ in range(encoder.num_layers)]

    def edit(layer, z):
        kept[layer].append(z)
        return z

    encoder.edit = edit
    for pair in encodings:
        for encoding in pair:
            encoder.streams(encoding.ids)
    return np.stack([np.concatenate(layer).mean(axis=0) for layer in kept])


def importance_golden(encoder, tokenizer):
    encodings = [[tokenizer.encode(text) for text in pair] for pair in PAIRS]
    half = halves(range(len(PAIRS)), len(PAIRS), seed=2)
    own = {which: [e for e, h in zip(encodings, half) if h == which] for which in (1, 2)}
    means = mean_outputs(encoder, own[1])
    every = PairLosses(encoder, encodings)
    arrays = {"means": means}
    arrays["all"], arrays["right"] = every({}, 6)
    arrays["without"] = every({(3, 1): 0.0, (5, 11): 0.0}, 3)[0]
    selection, report = PairLosses(encoder, own[1]), PairLosses(encoder, own[2])
    base = {"selection": selection({}, 6)[0], "report": report({}, 6)[0]}

    def leave_out(layers, value_of):
        places = [(layer, head) for layer in layers for head in range(12)]
        change = lambda place: ({place: value_of(*place)}, place[0])
        chosen = [selection(*change(place))[0].mean() - base["selection"].mean() for place in places]
        rows = np.array([report(*change(place))[0] - base["report"] for place in places]).T
        low, high = bootstrap(rows, np.ones(len(rows)), len(rows), seed=2)
        return {"selection": np.array(chosen), "change": rows.mean(axis=0), "low": low, "high": high}

    zero = leave_out(range(6), lambda layer, head: 0.0)
    mean = leave_out([4], lambda layer, head: means[layer, head])
    arrays |= {f"zero.{name}": values for name, values in zero.items()}
    arrays |= {f"mean.{name}": values for name, values in mean.items()}
    order = np.argsort(zero["selection"], kind="stable")
    arrays["half gone"] = report({divmod(int(h), 12): 0.0 for h in order[:36]})[0]
    # Layers 1 and 4 without any head, and with the one that is best on the selection half.
    rows = []
    for layer in (1, 4):
        heads = range(12)
        gone = report({(layer, h): 0.0 for h in heads}, layer)[0].mean()
        keep = lambda losses, kept: losses({(layer, h): 0.0 for h in heads if h != kept}, layer)[0].mean()
        best = int(np.argmin([keep(selection, kept) for kept in heads]))
        rows.append([gone, best, keep(report, best)])
    arrays["layers"] = np.array(rows)
    facts = {"pairs": PAIRS, "half": half.tolist()}
    return facts, {f"importance.{name}": np.asarray(a, np.float32) for name, a in arrays.items()}


def main():
    FOLDER.mkdir(exist_ok=True)
    random = np.random.default_rng(20)
    cases = {}
    for name, ties in {"random": False, "ties": True}.items():
        case = random_case(random, layers=2, heads=3, relations=4, sentences=32, ties=ties)
        cases |= {f"{name}.{key}": values for key, values in case.items()}
    cases |= coreference_case(random, heads=6, length=11)
    cases |= contrastive_case(random, pairs=37, width=19)
    save_file({k: np.ascontiguousarray(v) for k, v in cases.items()}, FOLDER / "cases.safetensors")

    tokenizer = Tokenizer.from_file(str(MODEL / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    weights, config = load_float64(MODEL / "model.safetensors"), load_config(MODEL)
    facts, arrays = role_golden(Encoder(weights, config), tokenizer)
    examples, values = reference_golden(Encoder(weights, config), tokenizer)
    arrays["coreference"] = values.astype(np.float32)
    pairs, importance = importance_golden(EditedEncoder(weights, config), tokenizer)
    arrays |= importance
    arrays = {name: np.ascontiguousarray(values) for name, values in arrays.items()}
    save_file(arrays, FOLDER / "minilm-l6.safetensors")
    facts |= {"examples": examples, **{f"pair_{k}" if k == "half" else k: v for k, v in pairs.items()}}
    facts["shuffles"] = {str(seed): shuffled(range(9), mulberry32(seed)) for seed in (0, 1, 4294967295)}
    (FOLDER / "minilm-l6.json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    for path in sorted(FOLDER.iterdir()):
        print(f"{path.name}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
