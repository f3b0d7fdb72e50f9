"""A decoder in the form of Llama (Touvron et al. 2023, arXiv 2302.13971) in JAX.

Parameters are a dictionary with the names and shapes of a LlamaForCausalLM's file: RMSNorm before
each part, rotary positions, grouped key/value heads, SwiGLU, one token table for both ends. Shapes:
B batch, S positions, E d_model, H heads, G key/value heads, D d_k.
"""
import math
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np

EPSILON = 1e-6
ROTARY_BASE = 10000.0


@dataclass(frozen=True)
class Sizes:
    vocabulary: int
    d_model: int
    heads: int
    kv_heads: int
    layers: int
    d_mlp: int


def initial(sizes, seed):
    """Random parameters: N(0, 0.02), what is added to the residual stream smaller by sqrt(2 layers)."""
    random = np.random.default_rng(seed)
    head_dim = sizes.d_model // sizes.heads
    kv = sizes.kv_heads * head_dim
    added = 0.02 / math.sqrt(2 * sizes.layers)
    shapes = {
        "self_attn.q_proj": (sizes.d_model, sizes.d_model, 0.02),
        "self_attn.k_proj": (kv, sizes.d_model, 0.02),
        "self_attn.v_proj": (kv, sizes.d_model, 0.02),
        "self_attn.o_proj": (sizes.d_model, sizes.d_model, added),
        "mlp.gate_proj": (sizes.d_mlp, sizes.d_model, 0.02),
        "mlp.up_proj": (sizes.d_mlp, sizes.d_model, 0.02),
        "mlp.down_proj": (sizes.d_model, sizes.d_mlp, added),
    }
    parameters = {"model.embed_tokens.weight": random.normal(0, 0.02, (sizes.vocabulary, sizes.d_model))}
    for layer in range(sizes.layers):
        prefix = f"model.layers.{layer}."
        for name, (rows, columns, spread) in shapes.items():
            parameters[f"{prefix}{name}.weight"] = random.normal(0, spread, (rows, columns))
        for name in ("input_layernorm", "post_attention_layernorm"):
            parameters[f"{prefix}{name}.weight"] = np.ones(sizes.d_model)
    parameters["model.norm.weight"] = np.ones(sizes.d_model)
    return {name: jnp.asarray(value, jnp.float32) for name, value in parameters.items()}


def norm(p, name, x):
    return x * jax.lax.rsqrt((x**2).mean(-1, keepdims=True) + EPSILON) * p[name + ".weight"]


def rotated(x):
    """x [B, S, H, D] turned by its position: dimension d with d + D / 2 (Su et al. 2021)."""
    length, half = x.shape[1], x.shape[3] // 2
    frequencies = ROTARY_BASE ** (-np.arange(half) / half)
    angles = np.arange(length)[:, None] * frequencies
    cos, sin = (jnp.asarray(f(angles), jnp.float32)[:, None, :] for f in (np.cos, np.sin))
    first, second = x[..., :half], x[..., half:]
    return jnp.concatenate([first * cos - second * sin, second * cos + first * sin], axis=-1)


def attention(p, prefix, sizes, x):
    def heads(part, count):
        return (x @ p[f"{prefix}{part}.weight"].T).reshape(*x.shape[:2], count, -1)

    q = rotated(heads("q_proj", sizes.heads))
    k, v = rotated(heads("k_proj", sizes.kv_heads)), heads("v_proj", sizes.kv_heads)
    # Head h reads the keys and values of group h // (H / G).
    q = q.reshape(*q.shape[:2], sizes.kv_heads, -1, q.shape[-1])
    scores = jnp.einsum("bsgrd,btgd->bgrst", q, k) / math.sqrt(q.shape[-1])
    seen = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    weights = jax.nn.softmax(jnp.where(seen, scores, -1e9), axis=-1)
    z = jnp.einsum("bgrst,btgd->bsgrd", weights, v).reshape(x.shape)
    return z @ p[prefix + "o_proj.weight"].T


def logits(p, sizes, ids):
    """[B, S, V]: the next token's, for each prefix of `ids` [B, S]."""
    x = p["model.embed_tokens.weight"][ids]
    for layer in range(sizes.layers):
        prefix = f"model.layers.{layer}."
        x = x + attention(p, prefix + "self_attn.", sizes, norm(p, prefix + "input_layernorm", x))
        inner = norm(p, prefix + "post_attention_layernorm", x)
        gate = jax.nn.silu(inner @ p[prefix + "mlp.gate_proj.weight"].T)
        up = inner @ p[prefix + "mlp.up_proj.weight"].T
        x = x + (gate * up) @ p[prefix + "mlp.down_proj.weight"].T
    return norm(p, "model.norm", x) @ p["model.embed_tokens.weight"].T


def loss(p, sizes, rows):
    """Mean cross-entropy in nats of each token of `rows` [B, S + 1] after the first."""
    scores = logits(p, sizes, rows[:, :-1])
    right = jnp.take_along_axis(scores, rows[:, 1:, None], -1)[..., 0]
    return (jax.nn.logsumexp(scores, -1) - right).mean()
