"""The English-French pairs of Tatoeba: cleaned, split by English sentence, cut into batches."""
import gzip
import re
import unicodedata
from collections import defaultdict
from dataclasses import dataclass

import numpy as np

HELD_OUT, TEST = 2000, 200
# Padded lengths, with the number of pairs of a batch: about as many tokens in each.
BUCKETS = ((6, 128), (8, 96), (10, 80), (12, 64), (16, 48), (24, 32), (48, 16))
LONGEST = BUCKETS[-1][0]


def tidy(text):
    """NFC, one kind of space and apostrophe, nothing invisible; French signs stand after a space."""
    text = unicodedata.normalize("NFC", text).replace("\u2019", "'").replace("\u2026", "...")
    text = re.sub("[\u200b\u00ad]", "", text)
    return re.sub(r"\s+", " ", text).strip()


def tidy_french(text):
    """`tidy`, and the space that French puts before high signs where a writer left it out."""
    return re.sub(r"(?<=[^\s!?:;.\d])([!?:;]+)(?=\s|$|\")", r" \1", tidy(text))


@dataclass
class Split:
    """Pairs to train on; held-out English sentences with all of their French translations."""

    train: list  # of (English, French)
    development: list  # of (English, [French, ...])
    test: list  # the same; TEST of them


def read(path, seed):
    """Splits by English sentence (case and end ignored), so that no sentence is on both sides."""
    references = defaultdict(list)
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            english, french = line.rstrip("\n").split("\t")
            references[tidy(english)].append(tidy_french(french))
    groups = defaultdict(list)
    for english in references:
        groups[re.sub(r"[\W_]+", " ", english.lower()).strip()].append(english)
    keys = sorted(groups)
    np.random.default_rng(seed).shuffle(keys)
    held_out = [(groups[key][0], sum((references[e] for e in groups[key]), [])) for key in keys[:HELD_OUT]]
    train = [(e, f) for key in keys[HELD_OUT:] for e in groups[key] for f in references[e]]
    return Split(train, held_out[TEST:], held_out[:TEST])


def encoded(tokenizer, pairs):
    """(English ids, French ids) of each pair, both with their end token."""
    english = tokenizer.encode_batch([e for e, _ in pairs])
    french = tokenizer.encode_batch([f for _, f in pairs])
    return [(e.ids, f.ids) for e, f in zip(english, french)]


def padded(rows, width, pad):
    """int32 [rows, width], `pad` behind the end of each row."""
    table = np.full((len(rows), width), pad, np.int32)
    for row, ids in zip(table, rows):
        row[: len(ids)] = ids
    return table


def batches(pairs, pad, generator):
    """One pass in random order: (English [B, S], French [B, S]) with S and B from BUCKETS.

    Pairs longer than LONGEST, and the few that fill no whole batch, are left out of this pass.
    """
    by_bucket = defaultdict(list)
    for index in generator.permutation(len(pairs)):
        longest = max(map(len, pairs[index]))
        bucket = next((b for b in BUCKETS if longest <= b[0]), None)
        if bucket:
            by_bucket[bucket].append(index)
    whole = [
        (width, indices[i : i + count])
        for (width, count), indices in by_bucket.items()
        for i in range(0, len(indices) - count + 1, count)
    ]
    for choice in generator.permutation(len(whole)):
        width, indices = whole[choice]
        yield tuple(padded([pairs[i][side] for i in indices], width, pad) for side in (0, 1))
