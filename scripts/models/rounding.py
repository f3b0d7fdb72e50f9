"""Rounds weight matrices to int8 with one scale a row.

`round_rows` takes for every row the scale that leaves the smallest squared error. `round_for_inputs`
rounds column by column and lets the columns still to come make up for the error made so far, as seen
by the inputs the layer really gets (the method known as GPTQ: Frantar et al. 2022, arXiv 2210.17323).
Both give values in -127..127 and float32 scales. Nothing here knows a model.
"""
import numpy as np

LARGEST = 127
# Scales tried, as shares of the one that reaches the row's largest magnitude.
SHARES = np.linspace(0.80, 1.0, 41)
# Added to the diagonal of the inputs' second moments, as a share of their mean: keeps directions
# that the calibration text hardly uses from being given all of the error.
DAMPING = 0.05
BLOCK = 128


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
    """weight [out, in] -> int8 [out, in], float32 [out]."""
    scales = best_scales(weight, np.ones(weight.shape[1]))
    return quantise(weight, scales.astype(np.float64)[:, None]).astype(np.int8), scales


def round_for_inputs(weight, moments):
    """weight [out, in], moments [in, in] = mean of x x^T over inputs -> int8 [out, in], float32 [out]."""
    size = weight.shape[1]
    damped = moments + DAMPING * np.trace(moments) / size * np.eye(size)
    scales = best_scales(weight, np.diag(damped))
    step = scales.astype(np.float64)
    order = np.argsort(-np.diag(damped), kind="stable")  # the inputs that matter most first
    rest = weight[:, order].copy()
    # Row j of `factor` says how an error in column j is best spread over the columns after it.
    factor = np.linalg.cholesky(np.linalg.inv(damped[np.ix_(order, order)])).T
    rounded = np.empty_like(rest)
    for start in range(0, size, BLOCK):
        stop = min(start + BLOCK, size)
        errors = np.empty((len(weight), stop - start))
        for j in range(start, stop):
            rounded[:, j] = quantise(rest[:, j], step)
            error = (rest[:, j] - rounded[:, j] * step) / factor[j, j]
            rest[:, j + 1 : stop] -= np.outer(error, factor[j, j + 1 : stop])
            errors[:, j - start] = error
        rest[:, stop:] -= errors @ factor[start:stop, stop:]
    result = np.empty_like(rounded)
    result[:, order] = rounded
    return result.astype(np.int8), scales
