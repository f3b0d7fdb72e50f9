"""Writes what chapters 6 and 10 compute from the shipped model: analysis/minilm-l6.json.

NumPy float64 from the definitions, on the activations of bert_numpy.py for the page's first sentence.
Needs numpy, safetensors and tokenizers.

    .venv/bin/python tests/golden/heads_numpy.py
"""

import json
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from analysis_numpy import alignment, biased, principal_angles, principal_components, unbiased
from bert_numpy import Encoder, load_config, load_float64, softmax

HERE = Path(__file__).resolve().parent
MODEL = HERE.parents[1] / "web" / "models" / "minilm-l6"
FILE = HERE / "analysis" / "minilm-l6.json"
TEXT = "The cat sat on the mat because it was tired"
LAYER, HEAD, OTHER = 3, 1, 4


def rounded(values):
    return [float(f"{value:.9g}") for value in np.ravel(values)]


def pairs(vectors):
    """Distance and cosine of every pair of rows, in the order (0, 1), (0, 2), ..."""
    first, second = np.triu_indices(len(vectors), 1)
    lengths = np.linalg.norm(vectors, axis=1)
    return {
        "distances": rounded(np.linalg.norm(vectors[first] - vectors[second], axis=1)),
        "cosines": rounded(
            (vectors[first] * vectors[second]).sum(1) / (lengths[first] * lengths[second])
        ),
    }


def subspaces(kept, weights):
    residual = kept[f"blocks.{LAYER}.hook_resid_pre"]
    queries = kept[f"blocks.{LAYER}.attn.hook_q"][:, HEAD]
    heads = weights["query"].reshape(12, 32, 384).transpose(0, 2, 1)
    outputs = kept[f"blocks.{LAYER}.attn.hook_z"]
    components = principal_components(residual, 2)
    return {
        "residual": {
            "scores": rounded(components["scores"]),
            "ratio": rounded(components["ratio"]),
            **pairs(residual),
        },
        "queries": pairs(queries),
        "angles": rounded(principal_angles(heads[HEAD], heads[OTHER])),
        "plain": rounded(alignment(outputs, biased)),
        "debiased": rounded(alignment(outputs, unbiased)),
    }


def attend(x, weights, kv_heads):
    """Multi-head attention on x without the output's bias; query head h reads group h / share."""
    length, width = x.shape
    size = width // 12

    def heads(part, count):
        values = x @ weights[part].T + weights[part + "_bias"]
        return values.reshape(length, count, size)

    share = 12 // kv_heads
    query = heads("query", 12)
    key, value = (np.repeat(heads(part, kv_heads), share, 1) for part in ("key", "value"))
    pattern = softmax(np.einsum("qhd,khd->hqk", query, key) / np.sqrt(size))
    z = np.einsum("hqk,khd->qhd", pattern, value)
    return z.reshape(length, width) @ weights["output"].T


def pooled(weights, kv_heads):
    """Ainslie et al. 2023: the mean of the projections of each group of neighbouring heads."""
    changed = dict(weights)
    for part in ("key", "value"):
        rows = weights[part].reshape(kv_heads, 12 // kv_heads, 32, 384).mean(1)
        changed[part] = rows.reshape(-1, 384)
        changed[part + "_bias"] = (
            weights[part + "_bias"].reshape(kv_heads, 12 // kv_heads, 32).mean(1).ravel()
        )
    return changed


def truncated(weights, rank):
    """One latent for keys and values: the nearest matrix of the rank to both side by side."""
    both = np.concatenate([weights["key"].T, weights["value"].T], 1)
    u, s, vh = np.linalg.svd(both, full_matrices=False)
    near = (u[:, :rank] * s[:rank]) @ vh[:rank]
    return {**weights, "key": near[:, :384].T, "value": near[:, 384:].T}, s


def variants(kept, weights):
    x = kept[f"blocks.{LAYER}.hook_resid_pre"]
    whole = attend(x, weights, 12)

    def error(changed, kv_heads):
        return float(np.linalg.norm(attend(x, changed, kv_heads) - whole) / np.linalg.norm(whole))

    grouped = {str(count): error(pooled(weights, count), count) for count in (1, 2, 3, 4, 6, 12)}
    latent = {
        str(rank): error(truncated(weights, rank)[0], 12) for rank in (16, 64, 128, 192, 256, 384)
    }
    return {
        "output": rounded(whole[:, :8]),
        "grouped": grouped,
        "latent": latent,
        "singularValues": rounded(truncated(weights, 1)[1]),
    }


def main():
    encoder = Encoder(load_float64(MODEL / "model.safetensors"), load_config(MODEL))
    ids = Tokenizer.from_file(str(MODEL / "tokenizer.json")).encode(TEXT).ids
    ids = [each for each in ids if each != 0]  # no padding
    _, kept = encoder.activations(ids)
    prefix = f"encoder.layer.{LAYER}.attention."
    parts = {part: f"{prefix}self.{part}" for part in ("query", "key", "value")}
    parts["output"] = f"{prefix}output.dense"
    weights = {part: encoder.weights[name + ".weight"] for part, name in parts.items()}
    weights |= {f"{part}_bias": encoder.weights[name + ".bias"] for part, name in parts.items()}
    golden = {
        "text": TEXT,
        "layer": LAYER,
        "head": HEAD,
        "other": OTHER,
        "subspaces": subspaces(kept, weights),
        "variants": variants(kept, weights),
    }
    FILE.write_text(json.dumps(golden) + "\n", encoding="utf-8")
    print(f"{FILE.name}: {len(ids)} tokens, {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
