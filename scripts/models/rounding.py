"""Rounds weight matrices to int8 with one scale a row, and a few outliers beside them.

`round_rows` takes for every row the scale that leaves the smallest squared error. `round_for_inputs`
rounds column by column and lets the columns still to come make up for the error made so far, as seen
by the inputs the layer really gets (the method known as GPTQ: Frantar et al. 2022, arXiv 2210.17323).
Weights that `find_outliers` names stay floats there, so that they do not stretch the scale of their
row. Values are in -127..127, scales and outliers float32. Nothing here knows a model.
"""
from dataclasses import dataclass

import numpy as np

LARGEST = 127
# A weight is an outlier beyond so many times the root mean square of the rest of its row. Rows of
# normally distributed weights reach 4.
OUTLIER = 12
# Scales tried, as shares of the one that reaches the row's largest magnitude.
SHARES = np.linspace(0.80, 1.0, 41)
# Added to the diagonal of the inputs' second moments, as a share of their mean: keeps directions
# that the calibration text hardly uses from being given all of the error.
DAMPING = 0.05
BLOCK = 128


@dataclass
class Rounded:
    """weight[r, c] = values[r, c] * scales[r], plus its outlier where it has one."""

    values: np.ndarray  # int8 [out, in], 0 where the outliers are
    scales: np.ndarray  # float32 [out]
    positions: np.ndarray  # int32 [n, 2], row and column, ascending
    outliers: np.ndarray  # float32 [n]


def find_outliers(weight):
    """bool [out, in]: weights far beyond the others of their row, which are judged without them."""
    found = np.zeros(weight.shape, bool)
    while True:
        rest = np.where(found, 0, weight)
        beyond = np.abs(weight) > OUTLIER * np.sqrt((rest**2).mean(axis=1, keepdims=True))
        if (beyond == found).all():
            return found
        found = beyond


def quantise(values, scale):
    return np.clip(np.rint(values / scale), -LARGEST, LARGEST)


def best_scales(weight, importance):
    """float32 [out]: the scale of each row with the least importance-weighted squared error."""
    largest = np.abs(weight).max(axis=1)
    largest[largest == 0] = 1
    least = np.full(len(weight), np.inf)
    best = np.empty(len(weight), np.float32)
    for share in SHARES:
        scales = (largest * share / LARGEST).astype(np.float32)
        step = scales.astype(np.float64)[:, None]
        error = ((quantise(weight, step) * step - weight) ** 2 * importance).sum(axis=1)
        better = error < least
        least[better], best[better] = error[better], scales[better]
    return best


def round_rows(weight):
    """weight [out, in] to the nearest step."""
    scales = best_scales(weight, np.ones(weight.shape[1]))
    values = quantise(weight, scales.astype(np.float64)[:, None]).astype(np.int8)
    return Rounded(values, scales, np.empty((0, 2), np.int32), np.empty(0, np.float32))


def round_for_inputs(weight, moments, outliers=None):
    """weight [out, in], moments [in, in] = mean of x x^T over inputs, outliers bool [out, in]."""
    size = weight.shape[1]
    if outliers is None:
        outliers = np.zeros(weight.shape, bool)
    damped = moments + DAMPING * np.trace(moments) / size * np.eye(size)
    scales = best_scales(np.where(outliers, 0, weight), np.diag(damped))
    step = scales.astype(np.float64)
    order = np.argsort(-np.diag(damped), kind="stable")  # the inputs that matter most first
    rest, kept = weight[:, order], outliers[:, order]
    # Row j of `factor` says how an error in column j is best spread over the columns after it.
    factor = np.linalg.cholesky(np.linalg.inv(damped[np.ix_(order, order)])).T
    rounded = np.empty_like(rest)
    for start in range(0, size, BLOCK):
        stop = min(start + BLOCK, size)
        errors = np.empty((len(weight), stop - start))
        for j in range(start, stop):
            rounded[:, j] = np.where(kept[:, j], 0, quantise(rest[:, j], step))
            error = np.where(kept[:, j], 0, rest[:, j] - rounded[:, j] * step) / factor[j, j]
            rest[:, j + 1 : stop] -= np.outer(error, factor[j, j + 1 : stop])
            errors[:, j - start] = error
        rest[:, stop:] -= errors @ factor[start:stop, stop:]
    place = np.argsort(order)
    positions = np.argwhere(outliers).astype(np.int32)
    # What `rest` holds there: the weight, and what it makes up for.
    floats = rest[:, place][outliers].astype(np.float32)
    return Rounded(rounded[:, place].astype(np.int8), scales, positions, floats)
