"""The encoder-decoder of Vaswani et al. 2017 (arXiv 1706.03762) in JAX, as Hugging Face's Marian.

Parameters are a dictionary with the names and shapes of a MarianMTModel's file: norms behind each
part, sinusoidal positions, ReLU, one token table for both sides and the output. Shapes: B batch,
S positions, E d_model, H heads, D d_k.
"""
import math
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np

EPSILON = 1e-5


@dataclass(frozen=True)
class Sizes:
    vocabulary: int
    d_model: int
    heads: int
    encoder_layers: int
    decoder_layers: int
    d_mlp: int


def layers(sizes):
    """Names of all layers with what they hold: (prefix, has cross-attention)."""
    encoder = [(f"model.encoder.layers.{i}.", False) for i in range(sizes.encoder_layers)]
    return encoder + [(f"model.decoder.layers.{i}.", True) for i in range(sizes.decoder_layers)]


def initial(sizes, seed):
    """Random parameters: Glorot and Bengio's uniform bounds, the token table N(0, 1/E)."""
    random = np.random.default_rng(seed)
    parameters = {}

    def dense(name, rows, columns):
        bound = math.sqrt(6 / (rows + columns))
        parameters[name + ".weight"] = random.uniform(-bound, bound, (rows, columns))
        parameters[name + ".bias"] = np.zeros(rows)

    def norm(name):
        parameters[name + ".weight"] = np.ones(sizes.d_model)
        parameters[name + ".bias"] = np.zeros(sizes.d_model)

    shape = (sizes.vocabulary, sizes.d_model)
    parameters["model.shared.weight"] = random.normal(0, sizes.d_model**-0.5, shape)
    parameters["final_logits_bias"] = np.zeros((1, sizes.vocabulary))
    for prefix, crosses in layers(sizes):
        for attention in ("self_attn", "encoder_attn")[: 1 + crosses]:
            for part in ("q_proj", "k_proj", "v_proj", "out_proj"):
                dense(f"{prefix}{attention}.{part}", sizes.d_model, sizes.d_model)
            norm(f"{prefix}{attention}_layer_norm")
        dense(prefix + "fc1", sizes.d_mlp, sizes.d_model)
        dense(prefix + "fc2", sizes.d_model, sizes.d_mlp)
        norm(prefix + "final_layer_norm")
    return {name: jnp.asarray(value, jnp.float32) for name, value in parameters.items()}


def positions(length, d_model):
    """[S, E]: the sines of all frequencies, then their cosines (Marian's order)."""
    frequencies = 10000.0 ** (-2 * np.arange(d_model // 2) / d_model)
    angles = np.arange(length)[:, None] * frequencies
    return jnp.asarray(np.concatenate([np.sin(angles), np.cos(angles)], axis=1), jnp.float32)


def dense(p, name, x):
    return x @ p[name + ".weight"].T + p[name + ".bias"]


def norm(p, name, x):
    centred = x - x.mean(-1, keepdims=True)
    scaled = centred * jax.lax.rsqrt((centred**2).mean(-1, keepdims=True) + EPSILON)
    return scaled * p[name + ".weight"] + p[name + ".bias"]


def attention(p, name, sizes, x, source, visible):
    """x [B, S, E] asks, source [B, T, E] answers; visible [B or 1, 1, S or 1, T] is True where seen."""

    def heads(part, values):
        split = dense(p, f"{name}.{part}", values)
        return split.reshape(*split.shape[:2], sizes.heads, -1)

    q, k, v = heads("q_proj", x), heads("k_proj", source), heads("v_proj", source)
    scores = jnp.einsum("bshd,bthd->bhst", q, k) / math.sqrt(q.shape[-1])
    weights = jax.nn.softmax(jnp.where(visible, scores, -1e9), axis=-1)
    z = jnp.einsum("bhst,bthd->bshd", weights, v)
    return dense(p, name + ".out_proj", z.reshape(x.shape))


def embed(p, sizes, ids):
    return p["model.shared.weight"][ids] * math.sqrt(sizes.d_model) + positions(ids.shape[1], sizes.d_model)


class Dropout:
    """Sets a share of the values to zero and makes the others larger by as much (Srivastava et al.
    2014), anew at each call; where Vaswani et al. do: on what is added to the residual stream."""

    def __init__(self, seed, share):
        """seed: uint32 [2]; share: between 0 and 1, kept to 1/256."""
        self.key, self.dropped = jax.random.wrap_key_data(seed), round(256 * share)

    def __call__(self, x):
        self.key, key = jax.random.split(self.key)
        kept = jax.random.bits(key, x.shape, jnp.uint8) >= self.dropped
        return jnp.where(kept, x * (256 / (256 - self.dropped)), 0)


def keep(x):
    """In the place of `Dropout` where nothing is dropped."""
    return x


def block(p, prefix, sizes, x, seen, source, source_seen, drop):
    """One layer: self-attention, cross-attention where `source` is given, feed-forward."""

    def add(part, change):
        return norm(p, prefix + part, x + drop(change))

    x = add("self_attn_layer_norm", attention(p, prefix + "self_attn", sizes, x, x, seen))
    if source is not None:
        change = attention(p, prefix + "encoder_attn", sizes, x, source, source_seen)
        x = add("encoder_attn_layer_norm", change)
    hidden = jax.nn.relu(dense(p, prefix + "fc1", x))
    return add("final_layer_norm", dense(p, prefix + "fc2", hidden))


def decoded(p, sizes, english, french, pad, drop=keep):
    """[B, T, E]: what the decoder makes of each prefix of `french` [B, T], which begins with `pad`."""
    seen = (english != pad)[:, None, None, :]
    x = drop(embed(p, sizes, english))
    for i in range(sizes.encoder_layers):
        x = block(p, f"model.encoder.layers.{i}.", sizes, x, seen, None, None, drop)
    length = french.shape[1]
    causal = jnp.tril(jnp.ones((length, length), bool))[None, None]
    y = drop(embed(p, sizes, french))
    for i in range(sizes.decoder_layers):
        y = block(p, f"model.decoder.layers.{i}.", sizes, y, causal, x, seen, drop)
    return y


def unembed(p, y):
    return y @ p["model.shared.weight"].T + p["final_logits_bias"]


def logits(p, sizes, english, french, pad, drop=keep):
    """[B, T, V]: for each prefix of `french` the next token's."""
    return unembed(p, decoded(p, sizes, english, french, pad, drop))


def next_token(p, sizes, english, french, place, pad):
    """[B, V]: the log-probabilities of the token behind `french[:, : place + 1]`."""
    y = jax.lax.dynamic_index_in_dim(decoded(p, sizes, english, french, pad), place, 1, False)
    return jax.nn.log_softmax(unembed(p, y))


def loss(p, sizes, english, french, pad, smoothing=0.0, drop=keep):
    """Mean cross-entropy in nats over the tokens of `french` (its padding left out).

    smoothing: that share of the target goes to all tokens alike (Szegedy et al. 2016).
    """
    begun = jnp.pad(french[:, :-1], ((0, 0), (1, 0)), constant_values=pad)
    scores = logits(p, sizes, english, begun, pad, drop)
    right = jnp.take_along_axis(scores, french[..., None], -1)[..., 0]
    wanted = (1 - smoothing) * right + smoothing * scores.mean(-1)
    counts = french != pad
    return ((jax.nn.logsumexp(scores, -1) - wanted) * counts).sum() / counts.sum()
