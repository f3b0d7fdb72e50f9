"""A layer as one wide head, as the mean of its heads, and a row with a score raised: tests/golden/why/layer.json.

NumPy float64, written from the definitions, on the queries and keys of one layer of the shipped encoder
(from minilm-l6/short.safetensors, rounded to four decimals).

    .venv/bin/python tests/golden/why_numpy.py
"""
import json
import math
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

HERE = Path(__file__).resolve().parent
LAYER, QUERY = 5, 8
RAISES = [{"head": 11, "key": 6, "by": 3.0}, {"head": 4, "key": 2, "by": -12.0}]


def softmax(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def entropy(row):
    return -sum(p * math.log(p) for p in row if p > 0)


def layer_case():
    stored = load_file(HERE / "minilm-l6" / "short.safetensors")
    of = lambda part: np.round(stored[f"blocks.{LAYER}.attn.hook_{part}"][0].astype(np.float64), 4)
    query, key = of("q"), of("k")
    size, heads, head_dim = query.shape
    # [heads, S, S]
    scores = np.stack([query[:, h] @ key[:, h].T for h in range(heads)]) / math.sqrt(head_dim)
    maps = softmax(scores)
    wide = softmax(query.reshape(size, -1) @ key.reshape(size, -1).T / math.sqrt(heads * head_dim))
    mean = maps.mean(axis=0)

    def raised(head, key, by):
        changed = scores[head, QUERY].copy()
        changed[key] += by
        before, after = maps[head, QUERY], softmax(changed)
        row = {"scores": list(scores[head, QUERY]), "before": list(before), "after": list(after)}
        return {"head": head, "key": key, "by": by, **row}

    return {
        "size": size,
        "heads": heads,
        "headDim": head_dim,
        "query": list(query.ravel()),
        "key": list(key.ravel()),
        "wide": list(wide.ravel()),
        "mean": list(mean.ravel()),
        "row": QUERY,
        "most": list(maps[:, QUERY].max(axis=0)),
        "mostHeads": [int(h) for h in maps[:, QUERY].argmax(axis=0)],
        "entropyOfMean": [entropy(row) for row in mean],
        "meanEntropy": [np.mean([entropy(maps[h, q]) for h in range(heads)]) for q in range(size)],
        "raises": [raised(**each) for each in RAISES],
    }


def rounded(value):
    if isinstance(value, dict):
        return {name: rounded(each) for name, each in value.items()}
    if isinstance(value, list):
        return [rounded(each) for each in value]
    return value if isinstance(value, int) else float(f"{value:.9g}")


if __name__ == "__main__":
    path = HERE / "why" / "layer.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(rounded(layer_case())) + "\n", encoding="utf-8")
    print(f"{path.name}: {path.stat().st_size:,} bytes")
