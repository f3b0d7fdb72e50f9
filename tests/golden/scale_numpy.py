"""Scores, softmax, entropy and Jacobians with and without the scale: tests/golden/scale/*.json.

NumPy float64, written from the definitions. random.json: the page's seeded random numbers (mulberry32
and Box-Muller, drawn here again), at every head dimension. head.json: queries and keys of one head of
the shipped encoder (from minilm-l6/short.safetensors) with the scale multiplied by powers of two.

    .venv/bin/python tests/golden/scale_numpy.py
"""
import json
import math
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

HERE = Path(__file__).resolve().parent
FOLDER = HERE / "scale"
QUERIES, KEYS, WIDEST = 64, 32, 512
HEAD_DIMS = [2**power for power in range(10)]
LAYER, HEAD = 5, 11


def uniforms(seed):
    """mulberry32, in [0, 1)."""
    state = seed
    while True:
        state = (state + 0x6D2B79F5) & 0xFFFFFFFF
        mixed = ((state ^ (state >> 15)) * (1 | state)) & 0xFFFFFFFF
        mixed ^= (mixed + ((mixed ^ (mixed >> 7)) * (61 | mixed))) & 0xFFFFFFFF
        yield ((mixed ^ (mixed >> 14)) & 0xFFFFFFFF) / 2**32


def normals(source, shape):
    def one():
        radius = math.sqrt(-2 * math.log(1 - next(source)))
        return radius * math.cos(2 * math.pi * next(source))

    values = [one() for _ in range(math.prod(shape))]
    return np.array(values).astype(np.float32).astype(np.float64).reshape(shape)


def softmax(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def entropy(row):
    return -sum(p * math.log(p) for p in row if p > 0)


def jacobian_norm(row):
    """Of the whole matrix, built and summed."""
    return np.linalg.norm(np.diag(row) - np.outer(row, row), "fro")


def summary(weights):
    norms = [jacobian_norm(row) for row in weights]
    return {
        "entropy": np.mean([entropy(row) for row in weights]),
        "gradient": np.mean(norms),
        "medianGradient": np.median(norms),
        "largest": weights.max(axis=-1).mean(),
    }


def measured(query, key, scale):
    scores = query @ key.T * scale
    weights = softmax(scores)
    return {"mean": scores.mean(), "variance": scores.var(ddof=1), **summary(weights), "row": list(weights[0])}


def random_case(seed):
    source = uniforms(seed)
    query, key = normals(source, (QUERIES, WIDEST)), normals(source, (KEYS, WIDEST))
    return {
        "seed": seed,
        "firstQuery": list(query[0, :4]),
        "firstKey": list(key[0, :4]),
        "headDims": [
            {
                "headDim": d,
                "without": measured(query[:, :d], key[:, :d], 1),
                "with": measured(query[:, :d], key[:, :d], 1 / math.sqrt(d)),
            }
            for d in HEAD_DIMS
        ],
    }


def head_case():
    stored = load_file(HERE / "minilm-l6" / "short.safetensors")
    of = lambda part: stored[f"blocks.{LAYER}.attn.hook_{part}"][0, :, HEAD].astype(np.float64)
    query, key = of("q"), of("k")
    size, head_dim = query.shape
    scores = query @ key.T / math.sqrt(head_dim)
    return {
        "size": size,
        "headDim": head_dim,
        "query": list(query.ravel()),
        "key": list(key.ravel()),
        "variance": scores.var(ddof=1),
        "powers": [{"power": p, **summary(softmax(scores * 2**p))} for p in (-3, -0.5, 0, 2.5, 4)],
        "row": {"query": 8, "power": 2.5, "trained": list(softmax(scores)[8]), "changed": list(softmax(scores * 2**2.5)[8])},
    }


def rounded(value):
    if isinstance(value, dict):
        return {name: rounded(each) for name, each in value.items()}
    if isinstance(value, list):
        return [rounded(each) for each in value]
    return value if isinstance(value, int) else float(f"{value:.9g}")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, case in {"random": [random_case(seed) for seed in (1, 7)], "head": head_case()}.items():
        path = FOLDER / f"{name}.json"
        path.write_text(json.dumps(rounded(case)) + "\n", encoding="utf-8")
        print(f"{path.name}: {path.stat().st_size:,} bytes")
