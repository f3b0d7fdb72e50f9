"""A BERT encoder in NumPy float64, written from the definitions: the truth that the C++ is held to.

One sequence at a time, no batching, no masks, no dropout, nothing made fast. Activations carry the
names TransformerLens' HookedEncoder gives them; what each one means is in README.md beside this
file. Weights are whatever `load_float64` reads: int8 matrices become int8 * scale and their outliers, so
the figures belong to the weights as shipped.
"""
import json
import math
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

SCALE, OUTLIERS, POSITIONS = "_scale", "_outliers", "_outlier_positions"


def load_float64(path):
    """All tensors of a safetensors file in float64; int8 matrices with what belongs to them.

    A matrix with `<name>_scale` is multiplied out; single weights too large for the scale of their
    row come beside it: `<name>_outliers` [n] at `<name>_outlier_positions` [n, 2].
    """
    stored = load_file(path)
    weights = {}
    for name, values in stored.items():
        if name.endswith((SCALE, OUTLIERS, POSITIONS)):
            continue
        weights[name] = values.astype(np.float64)
        if name + SCALE in stored:
            weights[name] *= stored[name + SCALE].astype(np.float64)[:, None]
        if name + OUTLIERS in stored:
            rows, columns = stored[name + POSITIONS].T
            np.add.at(weights[name], (rows, columns), stored[name + OUTLIERS])
    return weights


def load_config(folder):
    return json.loads((Path(folder) / "config.json").read_text(encoding="utf-8"))


_erf = np.frompyfunc(math.erf, 1, 1)


def gelu(x):
    """x * Phi(x) with the exact normal distribution function."""
    return x * 0.5 * (1 + _erf(x / math.sqrt(2)).astype(np.float64))


def softmax(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


class Encoder:
    """The weights of a checkpoint in Hugging Face's naming, and its forward pass."""

    def __init__(self, weights, config):
        self.weights = weights
        self.num_layers = config["num_hidden_layers"]
        self.num_heads = config["num_attention_heads"]
        self.epsilon = config["layer_norm_eps"]
        if config["hidden_act"] != "gelu":
            raise ValueError(f"hidden_act: expected gelu, received {config['hidden_act']}")

    def run(self, ids, type_ids=None, keep=lambda name, values: None):
        """Last hidden state [S, E]. `keep(name, values)` sees every activation as it is made."""
        x = self._embed(np.asarray(ids), np.asarray(type_ids or [0] * len(ids)), keep)
        for layer in range(self.num_layers):
            x = self._block(layer, x, keep)
        return x

    def activations(self, ids, type_ids=None, wanted=lambda name: True):
        """Last hidden state, and the wanted activations by name."""
        kept = {}

        def keep(name, values):
            if wanted(name):
                kept[name] = values

        return self.run(ids, type_ids, keep), kept

    def _embed(self, ids, type_ids, keep):
        tables = {
            "hook_embed": ("word", ids),
            "hook_pos_embed": ("position", np.arange(len(ids))),
            "hook_token_type_embed": ("token_type", type_ids),
        }
        total = 0
        for hook, (table, rows) in tables.items():
            values = self.weights[f"embeddings.{table}_embeddings.weight"][rows]
            keep(f"embed.{hook}", values)
            total = total + values
        x = self._norm("embeddings.LayerNorm", total, "embed.ln", keep)
        keep("hook_full_embed", x)
        return x

    def _block(self, layer, x, keep_any):
        prefix = f"encoder.layer.{layer}."

        def keep(name, values):
            keep_any(f"blocks.{layer}.{name}", values)

        keep("hook_resid_pre", x)
        attention = self._attention(prefix, x, keep)
        keep("hook_attn_out", attention)
        middle = x + attention
        keep("hook_resid_mid", middle)
        normed = self._norm(prefix + "attention.output.LayerNorm", middle, "ln1", keep)
        before = self._linear(prefix + "intermediate.dense", normed)
        keep("mlp.hook_pre", before)
        after = gelu(before)
        keep("mlp.hook_post", after)
        out = self._linear(prefix + "output.dense", after)
        keep("hook_mlp_out", out)
        total = normed + out
        keep("hook_resid_post", total)
        result = self._norm(prefix + "output.LayerNorm", total, "ln2", keep)
        keep("hook_normalized_resid_post", result)
        return result

    def _attention(self, prefix, x, keep):
        length, width = x.shape
        head_dim = width // self.num_heads

        def project(part):
            values = self._linear(prefix + "attention.self." + part, x)
            values = values.reshape(length, self.num_heads, head_dim)
            keep(f"attn.hook_{part[0]}", values)
            return values

        query, key, value = project("query"), project("key"), project("value")
        scores = np.einsum("qhd,khd->hqk", query, key) / math.sqrt(head_dim)
        keep("attn.hook_attn_scores", scores)
        pattern = softmax(scores)
        keep("attn.hook_pattern", pattern)
        z = np.einsum("hqk,khd->qhd", pattern, value)
        keep("attn.hook_z", z)
        dense = prefix + "attention.output.dense"
        per_head = self.weights[dense + ".weight"].reshape(width, self.num_heads, head_dim)
        keep("attn.hook_result", np.einsum("qhd,ehd->qhe", z, per_head))
        return self._linear(dense, z.reshape(length, width))

    def _linear(self, name, x):
        return x @ self.weights[name + ".weight"].T + self.weights[name + ".bias"]

    def _norm(self, name, x, hook, keep):
        centred = x - x.mean(axis=-1, keepdims=True)
        scale = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + self.epsilon)
        normalized = centred / scale
        keep(f"{hook}.hook_scale", scale)
        keep(f"{hook}.hook_normalized", normalized)
        return normalized * self.weights[name + ".weight"] + self.weights[name + ".bias"]


def mean_pooled(hidden):
    """The sentence vector of the sentence-transformers models: mean over tokens, length 1."""
    mean = hidden.mean(axis=0)
    return mean / np.linalg.norm(mean)
