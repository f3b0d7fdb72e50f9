"""What every row of attention knows after each tile of keys, in NumPy float64.

Writes tile-trace/*.json. Nothing is computed online here: after a tile a row's maximum, sum and
output are those of all keys so far, by definition, and the numbers moved are counted as sets of
rows. Inputs are rounded to float32 first, so that both sides read the same.

    .venv/bin/python tests/golden/tile_trace_numpy.py
"""

import json
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent / "tile-trace"


def tiles(length, size):
    return [range(first, min(first + size, length)) for first in range(0, length, size)]


def trace(query, key, value, query_tile, key_tile, scale, causal):
    queries, keys, width = len(query), len(key), value.shape[1]
    scores = scale * query @ key.T
    if causal:
        scores = np.where(np.arange(keys)[None, :] <= np.arange(queries)[:, None], scores, -np.inf)
    key_tiles, query_tiles = tiles(keys, key_tile), tiles(queries, query_tile)
    maximum, total, rescale, gathered = [], [], [], []
    exponentials = np.zeros((queries, keys))
    before = np.full(queries, -np.inf)
    for tile in key_tiles:
        known = scores[:, : tile.stop]
        top = known.max(axis=1)
        powers = np.where(np.isneginf(known), 0.0, np.exp(known - np.where(np.isneginf(top), 0, top)[:, None]))
        maximum.append(top)
        total.append(powers.sum(axis=1))
        gathered.append(powers @ value[: tile.stop])
        moved_up = top > before
        with np.errstate(invalid="ignore"):
            rescale.append(np.where(moved_up, np.exp(before - top), 1.0))
        exponentials[:, tile.start : tile.stop] = powers[:, tile.start :]
        before = top
    moved = np.zeros((len(query_tiles), len(key_tiles)))
    for r, rows in enumerate(query_tiles):
        for t, tile in enumerate(key_tiles):
            seen = not causal or any(j <= i for i in rows for j in tile)
            moved[r, t] += len(tile) * (key.shape[1] + width) if seen else 0
        moved[r, 0] += len(rows) * query.shape[1]
        moved[r, -1] += len(rows) * width
    weights = exponentials_of(scores)
    return {
        "scores": scores,
        "exponentials": exponentials,
        "maximum": np.array(maximum),
        "sum": np.array(total),
        "rescale": np.array(rescale),
        "accumulated": np.array(gathered),
        "output": weights @ value,
        "moved": moved,
    }


def exponentials_of(scores):
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def tensor(array):
    """-Infinity is no JSON number: written as null."""
    flat = [None if np.isneginf(x) else float(f"{x:.9g}") for x in array.ravel()]
    return {"dims": list(array.shape), "data": flat}


def case(name, seed, queries, keys, width, value_width, query_tile, key_tile, causal=False, scale=None, spread=1.0):
    random = np.random.default_rng(seed)
    inputs = {
        "query": random.normal(size=(queries, width)) * spread,
        "key": random.normal(size=(keys, width)),
        "value": random.normal(size=(keys, value_width)),
    }
    inputs = {k: v.astype(np.float32).astype(np.float64) for k, v in inputs.items()}
    factor = 1 / np.sqrt(width) if scale is None else scale
    expect = trace(**inputs, query_tile=query_tile, key_tile=key_tile, scale=factor, causal=causal)
    options = {"queryTile": query_tile, "keyTile": key_tile, "causal": causal}
    if scale is not None:
        options["scale"] = scale
    content = {
        "inputs": {k: tensor(v) for k, v in inputs.items()},
        "options": options,
        "expect": {k: tensor(v) for k, v in expect.items()},
    }
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.json").write_text(json.dumps(content) + "\n", encoding="utf-8")


if __name__ == "__main__":
    case("even-tiles", 1, queries=8, keys=8, width=4, value_width=4, query_tile=4, key_tile=2)
    case("ragged-tiles", 2, queries=7, keys=10, width=5, value_width=3, query_tile=3, key_tile=4)
    case("causal", 3, queries=9, keys=9, width=4, value_width=4, query_tile=2, key_tile=3, causal=True)
    case("one-tile", 4, queries=5, keys=6, width=3, value_width=2, query_tile=99, key_tile=99)
    case("large-scores", 5, queries=6, keys=9, width=4, value_width=3, query_tile=2, key_tile=1, scale=0.5, spread=8.0)
