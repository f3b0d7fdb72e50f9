"""The novels of LitBank as text for a language model: lines joined, marks of the e-texts removed."""
import gzip
import json
import re

import numpy as np

# Works whose authors died in 1956 or later, so that they may be protected outside the United States.
PROTECTED_ELSEWHERE = {
    "434_the_circular_staircase",
    "15265_the_quest_of_the_silver_fleece_a_novel",
    "351_of_human_bondage",
    "12677_personality_plus_some_experiences_of_emma_mcchesney_and_her_son_jock",
    "2641_a_room_with_a_view",
    "2891_howards_end",
    "2005_piccadilly_jim",
    "1155_the_secret_adversary",
}
HELD_OUT = 4
PLAIN = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2014": "--"})


def paragraphs(text):
    """The paragraphs, each one line; plain quotation marks and dashes, no marks of italics."""
    text = re.sub(r"\[Illustration[^\]]*\]|<BR>|_", "", text.translate(PLAIN))
    joined = (re.sub(r"\s+", " ", part).strip() for part in re.split(r"\n\s*\n", text))
    return [paragraph for paragraph in joined if paragraph]


def read(path, seed):
    """(works to train on, works held out), each {id: text with a line per paragraph}."""
    works = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for work in map(json.loads, lines):
            if work["id"] not in PROTECTED_ELSEWHERE:
                works[work["id"]] = "\n".join(paragraphs(work["text"]))
    ids = sorted(works)
    np.random.default_rng(seed).shuffle(ids)
    held_out = sorted(ids[:HELD_OUT])
    return {i: works[i] for i in works if i not in held_out}, {i: works[i] for i in held_out}


def windows(tokens, rows, length, begin, generator):
    """int32 [rows, length + 1]: random pieces of `tokens`, each behind the token `begin`."""
    starts = generator.integers(0, len(tokens) - length, rows)
    pieces = np.stack([tokens[start : start + length] for start in starts]).astype(np.int32)
    return np.concatenate([np.full((rows, 1), begin, np.int32), pieces], axis=1)


def rows_of(tokens, length, begin):
    """int32 [n, length + 1]: `tokens` from first to last, each piece behind the token `begin`."""
    whole = tokens[: len(tokens) // length * length].reshape(-1, length).astype(np.int32)
    return np.concatenate([np.full((len(whole), 1), begin, np.int32), whole], axis=1)
