"""Ranks of the shipped encoder's heads, and heads fitted to patterns: tests/golden/rank/rank.json.

NumPy float64. Ranks: singular values of the scores before softmax and of the weights of all heads on a
paragraph (bert_numpy.py), by the rule of numpy.linalg.matrix_rank for float32. Fits: another search
than the library's - projected gradients with Adam from many random starts at once, no decomposition
as a start - for queries and keys with scores of a bounded root mean square; the lowest mean KL
divergence that it finds. Needs numpy, safetensors and tokenizers.

    .venv/bin/python tests/golden/rank_numpy.py
"""
import json
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from bert_numpy import Encoder, load_config, load_float64, softmax
from minilm_l6_numpy import LONG, MODEL

FILE = Path(__file__).resolve().parent / "rank" / "rank.json"
SPECTRA = [(0, 0), (3, 1), (5, 11)]
LENGTHS = [2, 4, 8, 12, 16, 24, 32, 33, 40, 48, 64, 80]
RESTARTS, STEPS = 24, 6000


def numerical_rank(values, size):
    return int((values > values[0] * size * 2.0**-23).sum())


def bulk_rank(values):
    """How many of the largest values hold 99 % of the sum of squares."""
    held = np.cumsum(values**2) / (values**2).sum()
    return int(np.searchsorted(held, 0.99)) + 1


def singular_values(matrix):
    return np.linalg.svd(matrix, compute_uv=False)


def heads(kept, layers, count):
    for layer in range(layers):
        for head in range(count):
            of = lambda name: kept[f"blocks.{layer}.attn.{name}"][head]
            yield layer, head, of("hook_attn_scores"), of("hook_pattern")


def model_case():
    tokenizer = Tokenizer.from_file(str(MODEL / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    encoder = Encoder(load_float64(MODEL / "model.safetensors"), load_config(MODEL))
    encoding = tokenizer.encode(*LONG)
    wanted = lambda name: name.endswith(("hook_attn_scores", "hook_pattern"))
    _, kept = encoder.activations(encoding.ids, encoding.type_ids, wanted)
    size, layers, count = len(encoding.ids), 6, 12
    ranks, spectra, lengths = [], [], None
    for layer, head, scores, weights in heads(kept, layers, count):
        of_scores, of_weights = singular_values(scores), singular_values(weights)
        place = {"layer": layer, "head": head}
        ranks.append(
            place
            | {
                "scores": numerical_rank(of_scores, size),
                "bulk": bulk_rank(of_scores),
                "weights": numerical_rank(of_weights, size),
            }
        )
        if (layer, head) in SPECTRA:
            spectra.append(place | {"scores": list(of_scores), "weights": list(of_weights)})
        if (layer, head) == SPECTRA[1]:
            rank = lambda matrix, n: numerical_rank(singular_values(matrix[:n, :n]), n)
            each = [[n, rank(scores, n), rank(weights, n)] for n in [*LENGTHS, size]]
            lengths = place | {"ranks": each}
    return {
        "text": LONG[0],
        "layers": layers,
        "heads": count,
        "tokens": size,
        "headRanks": ranks,
        "spectra": spectra,
        "lengths": lengths,
    }


def fit(pattern, head_dim, norm, random):
    """The lowest mean KL divergence from many starts; Adam with a rate that falls to nothing."""
    n = len(pattern)
    x = random.standard_normal((2, RESTARTS, n, head_dim))
    mean, square = np.zeros_like(x), np.zeros_like(x)
    known = np.where(pattern > 0, pattern * np.log(np.where(pattern > 0, pattern, 1)), 0).sum()
    best = np.inf
    for step in range(1, STEPS + 1):
        query, key = x
        scores = query @ key.transpose(0, 2, 1)
        size = np.sqrt((scores**2).mean((1, 2), keepdims=True))
        outside = np.maximum(size / norm, 1)
        x /= np.sqrt(outside)  # back onto the ball
        query, key = x
        scores = scores / outside
        shifted = scores - scores.max(-1, keepdims=True)
        sums = np.log(np.exp(shifted).sum(-1, keepdims=True))
        best = min(best, ((known - (pattern * (shifted - sums)).sum((1, 2))) / n).min())
        by_score = (np.exp(shifted - sums) - pattern) / n
        gradient = np.stack([by_score @ key, by_score.transpose(0, 2, 1) @ query])
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.99 * square + 0.01 * gradient**2
        rate = 0.1 * (1 - step / STEPS)
        x -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-12)
    return max(0.0, float(best))


def patterns(random):
    """Name, pattern, norm. Float32, as the library is given them."""
    n = 7
    uneven = random.dirichlet(np.ones(n), n)
    yield "random, a small norm", uneven, 0.8
    yield "random, a large norm", uneven, 6.0
    yield "shift", np.roll(np.eye(n), 1, 1), 6.0
    yield "permutation", np.eye(n)[random.permutation(n)], 2.0
    yield "blocks", np.kron(np.eye(3), np.ones((2, 2)) / 2), 3.0
    causal = np.tril(random.random((6, 6)) + 0.05)
    yield "causal", causal / causal.sum(1, keepdims=True), 4.0
    soft = softmax(3 * np.cos(np.subtract.outer(np.arange(n), np.arange(n))))
    yield "soft and smooth", soft, 2.0


def fits():
    random = np.random.default_rng(902)
    for name, pattern, norm in patterns(random):
        pattern = pattern.astype(np.float32).astype(np.float64)
        exact = pattern / pattern.sum(1, keepdims=True)
        found = [fit(exact, d, norm, random) for d in range(1, len(pattern) + 1)]
        # A head with more dimensions can do whatever one with fewer can.
        yield {
            "name": name,
            "length": len(pattern),
            "norm": norm,
            "pattern": list(pattern.ravel()),
            "divergences": list(np.minimum.accumulate(found)),
        }


def rounded(value):
    if isinstance(value, dict):
        return {name: rounded(each) for name, each in value.items()}
    if isinstance(value, list):
        return [rounded(each) for each in value]
    return value if isinstance(value, (int, str)) else float(f"{value:.8g}")


if __name__ == "__main__":
    FILE.parent.mkdir(exist_ok=True)
    result = rounded(model_case() | {"fits": list(fits())})
    FILE.write_text(json.dumps(result) + "\n", encoding="utf-8")
    print(f"{FILE.name}: {FILE.stat().st_size:,} bytes")
    for each in result["fits"]:
        print(each["name"], each["divergences"])
    print({key: sorted({each[key] for each in result["headRanks"]}) for key in ("scores", "bulk", "weights")})
