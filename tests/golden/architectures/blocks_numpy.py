"""Transformer blocks of every kind in NumPy float64, written from the definitions.

One sequence at a time: no batching, no padding, no cache, nothing made fast. `keep(name, values)`
sees every activation as it is made, with a leading axis of 1 for the batch. Names are those of
TransformerLens' HookedTransformer (norm before each part) and HookedEncoder (norm behind it);
hook_normalized stands before the norm's weight and bias. Weights are a dictionary from module path
and kind (`blocks.0.attn.query.weight`) to arrays, matrices [out, in].
"""
import math
from dataclasses import dataclass, field

import numpy as np

_erf = np.frompyfunc(math.erf, 1, 1)


def gelu(x):
    """x * Phi(x) with the exact normal distribution function."""
    return x * 0.5 * (1 + _erf(x / math.sqrt(2)).astype(np.float64))


def gelu_tanh(x):
    """Hendrycks and Gimpel 2016: the approximation with tanh."""
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


ACTIVATIONS = {
    "gelu": gelu,
    "gelu_tanh": gelu_tanh,
    "relu": lambda x: np.maximum(x, 0),
    "silu": lambda x: x / (1 + np.exp(-x)),
}


def softmax(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


@dataclass
class Spec:
    """What a stack of blocks is made of; what its weights say is not repeated here."""

    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    activation: str
    epsilon: float
    norm: str = "layer"  # or "rms"
    placement: str = "pre"  # or "post", or "sandwich": before and behind each part
    scale: float | None = None  # of the scores; 1 / sqrt(head_dim) by default
    causal: bool = False
    softcap: float = 0.0
    windows: list = field(default_factory=list)  # keys a query sees, itself included; None = all
    frequencies: np.ndarray | None = None  # of rotary positions, [head_dim / 2]
    relative: "RelativeBias | None" = None


def rotary_frequencies(dim, base, scaling=None):
    """Radians a position for each pair of numbers (Su et al. 2021), scaled for longer contexts."""
    frequencies = base ** (-np.arange(0, dim, 2, dtype=np.float64) / dim)
    if scaling is None:
        return frequencies
    kind = scaling.get("rope_type", scaling.get("type"))
    if kind == "linear":
        return frequencies / scaling["factor"]
    if kind != "llama3":
        raise ValueError(f"rotary scaling: expected linear or llama3, received {kind}")
    # Llama 3.1: long wavelengths are divided, short ones stay, those between are interpolated.
    low, high = scaling["low_freq_factor"], scaling["high_freq_factor"]
    turns = scaling["original_max_position_embeddings"] * frequencies / (2 * math.pi)
    smooth = np.clip((turns - low) / (high - low), 0, 1)
    return (1 - smooth) * frequencies / scaling["factor"] + smooth * frequencies


def rotate(x, frequencies):
    """x [S, H, D]: number j of a head is paired with number j + D / 2."""
    angles = np.arange(len(x))[:, None, None] * frequencies
    first, second = np.split(x, 2, axis=-1)
    cos, sin = np.cos(angles), np.sin(angles)
    return np.concatenate([first * cos - second * sin, second * cos + first * sin], axis=-1)


@dataclass
class RelativeBias:
    """T5 (Raffel et al. 2020): a learned number for each head and bucket of distances."""

    table: np.ndarray  # [buckets, H]
    max_distance: int
    both_ways: bool

    def of(self, queries, keys):
        """[H, queries, keys]"""
        distance = np.arange(keys)[None, :] - np.arange(queries)[:, None]
        return self.table[np.vectorize(self.bucket)(distance)].transpose(2, 0, 1)

    def bucket(self, distance):
        """Half the buckets hold one distance each, the others grow with its logarithm."""
        buckets, first = len(self.table), 0
        if self.both_ways:
            buckets //= 2
            first = buckets if distance > 0 else 0
        back = abs(distance) if self.both_ways else max(-distance, 0)
        exact = buckets // 2
        if back < exact:
            return first + back
        share = math.log(back / exact) / math.log(self.max_distance / exact)
        return first + min(exact + int(share * (buckets - exact)), buckets - 1)


class Stack:
    """Blocks that share a residual stream: an encoder or a decoder."""

    def __init__(self, weights, spec, prefix="blocks"):
        self.weights, self.spec, self.prefix = weights, spec, prefix

    def run(self, x, keep, memory=None):
        """x [S, E] -> [S, E]; `memory` [keys, E] is what the cross-attention of a decoder reads."""
        for layer in range(self.spec.layers):
            x = self._block(layer, x, memory, keep)
        return x

    def _block(self, layer, x, memory, keep_any):
        block = f"{self.prefix}.{layer}"

        def keep(name, values):
            keep_any(f"{block}.{name}", values)

        parts = [("attn_out", "resid_mid", lambda y: self._self_attention(layer, y, keep))]
        if memory is not None:
            attend = lambda y: self._attention(f"{block}.cross_attn", y, memory, keep)
            parts.append(("cross_attn_out", "resid_mid_cross", attend))
        parts.append(("mlp_out", "resid_post", lambda y: self._feed_forward(block, y, keep)))

        keep("hook_resid_pre", x)
        placement = self.spec.placement
        for number, (out_name, sum_name, part) in enumerate(parts, start=1):
            name = f"ln{number}"
            out = part(x if placement == "post" else self._norm(block, name, x, keep))
            if placement == "sandwich":
                out = self._norm(block, name + "_post", out, keep)
            keep(f"hook_{out_name}", out)
            x = x + out
            keep(f"hook_{sum_name}", x)
            if placement == "post":
                x = self._norm(block, name, x, keep)
        if placement == "post":
            keep("hook_normalized_resid_post", x)
        return x

    def _self_attention(self, layer, x, keep):
        spec = self.spec
        visible = np.ones((len(x), len(x)), bool)
        if spec.causal:
            visible = np.tril(visible)
        if spec.windows and spec.windows[layer] is not None:
            visible &= ~np.tril(visible, -spec.windows[layer])
        bias = np.where(visible, 0, -np.inf)
        if spec.relative is not None:
            bias = bias + spec.relative.of(len(x), len(x))
        module = f"{self.prefix}.{layer}.attn"
        return self._attention(module, x, x, keep, bias, spec.frequencies)

    def _attention(self, module, x, source, keep_any, bias=0, frequencies=None):
        spec, hook = self.spec, module.rpartition(".")[2]

        def keep(name, values):
            keep_any(f"{hook}.hook_{name}", values)

        def project(part, inputs, heads):
            values = linear(self.weights, f"{module}.{part}", inputs)
            values = values.reshape(len(inputs), heads, spec.head_dim)
            keep(part[0], values)
            return values

        query = project("query", x, spec.heads)
        key = project("key", source, spec.kv_heads)
        value = project("value", source, spec.kv_heads)
        if frequencies is not None:
            query, key = rotate(query, frequencies), rotate(key, frequencies)
            keep("rot_q", query)
            keep("rot_k", key)
        share = spec.heads // spec.kv_heads
        key, value = np.repeat(key, share, axis=1), np.repeat(value, share, axis=1)
        scale = 1 / math.sqrt(spec.head_dim) if spec.scale is None else spec.scale
        scores = np.einsum("qhd,khd->hqk", query, key) * scale
        if spec.softcap > 0:
            scores = spec.softcap * np.tanh(scores / spec.softcap)
        scores = scores + bias
        keep("attn_scores", scores)
        pattern = softmax(scores)
        keep("pattern", pattern)
        z = np.einsum("hqk,khd->qhd", pattern, value)
        keep("z", z)
        output = self.weights[f"{module}.output.weight"].reshape(-1, spec.heads, spec.head_dim)
        keep("result", np.einsum("qhd,ehd->qhe", z, output))
        return linear(self.weights, f"{module}.output", z.reshape(len(x), -1))

    def _feed_forward(self, block, x, keep):
        act = ACTIVATIONS[self.spec.activation]
        gate = f"{block}.mlp.gate"
        if gate + ".weight" in self.weights:
            # Names of TransformerLens: hook_pre is what goes through the activation.
            before = linear(self.weights, gate, x)
            factor = linear(self.weights, f"{block}.mlp.in", x)
            keep("mlp.hook_pre", before)
            keep("mlp.hook_pre_linear", factor)
            after = act(before) * factor
        else:
            before = linear(self.weights, f"{block}.mlp.in", x)
            keep("mlp.hook_pre", before)
            after = act(before)
        keep("mlp.hook_post", after)
        return linear(self.weights, f"{block}.mlp.out", after)

    def _norm(self, block, name, x, keep):
        return norm(self.weights, f"{block}.{name}", name, x, self.spec, keep)


def linear(weights, name, x):
    out = x @ weights[name + ".weight"].T
    return out + weights[name + ".bias"] if name + ".bias" in weights else out


def norm(weights, name, hook, x, spec, keep):
    """Ba et al. 2016, or without mean and bias Zhang and Sennrich 2019 (RMSNorm)."""
    centred = x - x.mean(axis=-1, keepdims=True) if spec.norm == "layer" else x
    scale = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + spec.epsilon)
    keep(f"{hook}.hook_scale", scale)
    keep(f"{hook}.hook_normalized", centred / scale)
    scaled = centred / scale * weights[name + ".weight"]
    return scaled + weights[name + ".bias"] if name + ".bias" in weights else scaled
