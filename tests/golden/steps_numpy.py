"""Writes what chapter 3 shows of a layer, from definitions in float64: tests/golden/steps/*.json.

tiny.json: the tiny layer (3 tokens, d_model 4, two heads), as it stands and with cells changed, with
and without the causal mask. layer.json: one layer of the shipped model on the default sentence: what
each head adds for the query token, the contributions of its keys, what comes behind. Needs numpy,
safetensors and tokenizers; running the tests needs no Python.
"""
import json
import math
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from bert_numpy import Encoder, gelu, load_config, load_float64, softmax

HERE = Path(__file__).resolve().parent
MODEL = HERE.parents[1] / "web" / "models" / "minilm-l6"
FOLDER = HERE / "steps"

SENTENCE = "The cat sat on the mat because it was tired"
LAYER, TOKEN = 3, 8

TINY = {
    "x": [[1, 0, 2, 0], [0, 1, 0, 2], [1, 1, 1, 0]],
    "q": [[1, 0, 0, 1], [0, 1, 1, 0], [1, 0, 0, 0], [0, 0, 1, 1]],
    "k": [[1, 0, 1, 0], [0, 1, 0, 1], [1, 1, 0, -1], [1, 0, 1, 1]],
    "v": [[1, 2, 0, 0], [0, 1, 1, 0], [0, 0, 2, 1], [1, 0, 0, 1]],
    "o": [[1, 0, 0, 1], [0, 1, 1, 0], [1, 0, -1, 0], [0, 1, 0, 2]],
}
EDITS = {"x01": 3.0, "q12": -1.5, "v33": 0.25, "o00": -2.0}


def with_edits(edits):
    matrices = {name: np.array(rows, np.float64) for name, rows in TINY.items()}
    for cell, value in edits.items():
        matrices[cell[0]][int(cell[1]), int(cell[2])] = value
    return matrices


def attend(q, k, v, heads, causal):
    """Scores (hidden ones -inf), weights and z of every head; q, k, v [S, heads * d]."""
    length, width = q.shape
    head_dim = width // heads
    scores, weights, z = [], [], []
    for head in range(heads):
        part = slice(head * head_dim, (head + 1) * head_dim)
        own = q[:, part] @ k[:, part].T / math.sqrt(head_dim)
        if causal:
            own = np.where(np.tri(length, dtype=bool), own, -np.inf)
        scores.append(own)
        weights.append(softmax(own))
        z.append(weights[-1] @ v[:, part])
    return np.array(scores), np.array(weights), np.concatenate(z, axis=1)


def parts_of(z, w_o, heads):
    """What each head adds, [S, heads, E]; w_o [heads * d, E]."""
    head_dim = z.shape[1] // heads
    return np.stack(
        [z[:, h * head_dim : (h + 1) * head_dim] @ w_o[h * head_dim : (h + 1) * head_dim] for h in range(heads)],
        axis=1,
    )


def plain(values, digits=9):
    """Nested lists; -inf, which JSON does not have, becomes null."""
    if isinstance(values, np.ndarray) and values.ndim > 0:
        return [plain(each, digits) for each in values]
    return None if np.isneginf(values) else float(f"{values:.{digits}g}")


def tiny_case(edits, causal):
    m = with_edits(edits)
    q, k, v = m["x"] @ m["q"], m["x"] @ m["k"], m["x"] @ m["v"]
    scores, weights, z = attend(q, k, v, 2, causal)
    parts = parts_of(z, m["o"], 2)
    values = parts_of(v, m["o"], 2)
    return {
        "edits": edits,
        "causal": causal,
        "x": plain(m["x"]),
        "query": plain(q),
        "key": plain(k),
        "value": plain(v),
        "scores": plain(scores),
        "weights": plain(weights),
        "z": plain(z),
        "parts": plain(parts),
        "output": plain(z @ m["o"]),
        "valueNorms": plain(np.linalg.norm(values, axis=2).T),
    }


def layer_case(causal):
    encoder = Encoder(load_float64(MODEL / "model.safetensors"), load_config(MODEL))
    ids = Tokenizer.from_file(str(MODEL / "tokenizer.json"))
    ids.no_truncation()
    ids.no_padding()
    _, kept = encoder.activations(ids.encode(SENTENCE).ids)
    block = f"blocks.{LAYER}."
    names = encoder.weights
    prefix = f"encoder.layer.{LAYER}.attention.output."
    heads = encoder.num_heads
    x = kept[block + "hook_resid_pre"]
    length, width = x.shape
    q, k, v = (kept[f"{block}attn.hook_{part}"].reshape(length, width) for part in "qkv")
    scores, weights, z = attend(q, k, v, heads, causal)
    w_o, bias = names[prefix + "dense.weight"].T, names[prefix + "dense.bias"]
    parts = parts_of(z, w_o, heads)
    output = z @ w_o + bias
    assert np.allclose(output, parts.sum(axis=1) + bias)
    if not causal:
        assert np.allclose(output, kept[block + "hook_attn_out"])
    # What comes behind, from the middle of the block on.
    middle = x + output
    normed = encoder._norm(prefix + "LayerNorm", middle, "ln1", lambda *_: None)
    layer = f"encoder.layer.{LAYER}."
    forward = encoder._linear(layer + "output.dense", gelu(encoder._linear(layer + "intermediate.dense", normed)))
    following = encoder._norm(layer + "output.LayerNorm", normed + forward, "ln2", lambda *_: None)
    values = parts_of(v, w_o, heads)
    contributions = weights[:, TOKEN, :] * np.linalg.norm(values, axis=2).T
    return {
        "causal": causal,
        "scores": plain(scores[1, TOKEN], 7),
        "weights": plain(weights[1, TOKEN], 7),
        "addNorms": plain(np.linalg.norm(parts[TOKEN], axis=1), 7),
        "biasNorm": plain(np.linalg.norm(bias), 7),
        "outputNorm": plain(np.linalg.norm(output[TOKEN]), 7),
        "contributions": plain(contributions, 7),
        "output": plain(output[TOKEN][:16], 7),
        "norms": {
            "x": plain(np.linalg.norm(x[TOKEN]), 7),
            "sum": plain(np.linalg.norm(middle[TOKEN]), 7),
            "forward": plain(np.linalg.norm(forward[TOKEN]), 7),
            "next": plain(np.linalg.norm(following[TOKEN]), 7),
        },
    }


def write(name, cases):
    lines = ",\n ".join(json.dumps(case) for case in cases)
    (FOLDER / name).write_text(f"[\n {lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    write("tiny.json", [tiny_case(edits, causal) for edits in ({}, EDITS) for causal in (False, True)])
    write("layer.json", [layer_case(causal) for causal in (False, True)])
