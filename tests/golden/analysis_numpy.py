"""Writes the golden values of the analyses: analysis/cases.safetensors.

Inputs are rounded to float32 first; everything after that is float64, by other ways than the
library's where there are any: principal components from the covariance matrix, angles from sines as
well as cosines, kernel alignment from the kernels written out. Needs numpy and safetensors.

    .venv/bin/python tests/golden/analysis_numpy.py
"""

from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

FILE = Path(__file__).parent / "analysis" / "cases.safetensors"


def matrix(random, *dims):
    return random.standard_normal(dims).astype(np.float32)


def singular_values(x):
    return np.linalg.svd(x.astype(np.float64), compute_uv=False)


def nearest(x, rank):
    u, s, vh = np.linalg.svd(x.astype(np.float64), full_matrices=False)
    return (u[:, :rank] * s[:rank]) @ vh[:rank]


def principal_components(x, count):
    """Eigenvectors of the covariance; the entry farthest from zero is positive."""
    x = x.astype(np.float64)
    mean = x.mean(0)
    covariance = np.cov(x, rowvar=False)
    variance, vectors = np.linalg.eigh(covariance)
    order = np.argsort(variance)[::-1][:count]
    components = vectors[:, order].T
    largest = components[np.arange(count), np.abs(components).argmax(1)]
    components *= np.sign(largest)[:, None]
    return {
        "scores": (x - mean) @ components.T,
        "components": components,
        "mean": mean,
        "variance": variance[order],
        "ratio": variance[order] / np.trace(covariance),
    }


def principal_angles(a, b):
    """After Knyazev and Argentati 2002: sines where the cosine is near 1."""
    qa, qb = (np.linalg.qr(each.astype(np.float64))[0] for each in (a, b))
    cosines = np.linalg.svd(qa.T @ qb, compute_uv=False)
    if qa.shape[1] < qb.shape[1]:
        qa, qb = qb, qa
    sines = np.linalg.svd(qb - qa @ (qa.T @ qb), compute_uv=False)[::-1]
    return np.where(cosines**2 > 0.5, np.arcsin(np.clip(sines, 0, 1)), np.arccos(cosines))


def biased(k, l):
    n = len(k)
    centre = np.eye(n) - 1 / n
    return np.trace(k @ centre @ l @ centre)


def unbiased(k, l):
    """HSIC_1 of Song et al. 2012, equation 5, without its leading factor."""
    n = len(k)
    k, l = (each - np.diag(np.diag(each)) for each in (k, l))
    ones = np.ones(n)
    product = ones @ k @ ones * (ones @ l @ ones) / ((n - 1) * (n - 2))
    return np.trace(k @ l) + product - 2 / (n - 2) * (ones @ k @ l @ ones)


def alignment(x, hsic):
    heads = [x[:, head].astype(np.float64) for head in range(x.shape[1])]
    kernels = [head @ head.T for head in heads]
    own = [hsic(k, k) for k in kernels]
    return np.array(
        [
            [hsic(k, l) / np.sqrt(own[i] * own[j]) for j, l in enumerate(kernels)]
            for i, k in enumerate(kernels)
        ]
    )


def main():
    random = np.random.default_rng(610)
    cases = {}

    for name, dims in {"tall": (40, 24), "wide": (12, 30), "square": (17, 17)}.items():
        x = matrix(random, *dims)
        cases |= {f"svd.{name}.x": x, f"svd.{name}.s": singular_values(x)}
        cases[f"svd.{name}.rank3"] = nearest(x, 3)
    # Singular values over six orders of magnitude.
    x = (matrix(random, 20, 16) * np.logspace(0, -6, 16)).astype(np.float32)
    cases |= {"svd.graded.x": x, "svd.graded.s": singular_values(x)}

    for name, dims in {"few": (9, 16), "many": (30, 6)}.items():
        x = matrix(random, *dims) + np.float32(3)
        cases[f"pca.{name}.x"] = x
        for part, values in principal_components(x, 4).items():
            cases[f"pca.{name}.{part}"] = values

    a, b = matrix(random, 3, 24, 5), matrix(random, 2, 24, 4)
    b[1, :, :2] = a[2, :, :2] + np.float32(1e-4) * b[1, :, :2]  # two small angles
    cases |= {"angles.a": a, "angles.b": b}
    cases["angles.ab"] = np.array([[principal_angles(p, q) for q in b] for p in a])

    # One noisy signal in several heads, and heads of their own.
    for name, (tokens, columns) in {"few": (7, 12), "many": (40, 6)}.items():
        signal = matrix(random, tokens, columns)
        noise = matrix(random, tokens, 5, columns)
        share = np.array([1, 0.7, 0.3, 0, 0], np.float32)[None, :, None]
        x = (share * signal[:, None] + (1 - share) * noise).astype(np.float32)
        cases[f"cka.{name}.x"] = x
        cases[f"cka.{name}.plain"] = alignment(x, biased)
        cases[f"cka.{name}.debiased"] = alignment(x, unbiased)

    FILE.parent.mkdir(exist_ok=True)
    save_file({name: np.ascontiguousarray(values, np.float32) for name, values in cases.items()}, FILE)
    print(f"{FILE.name}: {len(cases)} tensors, {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
