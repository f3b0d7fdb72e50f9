"""AdamW (Loshchilov and Hutter 2019, arXiv 1711.05101) over a dictionary of JAX arrays.

The rate follows cycles (Loshchilov and Hutter 2017, arXiv 1608.03983): in each it rises linearly from
0 during the warm-up and falls to 0 along half a cosine. Gradients are scaled down to a norm of at most
`CLIP`. Vectors (biases, gains of norms) do not decay.
"""
import math

import jax
import jax.numpy as jnp

FIRST, SECOND, EPSILON = 0.9, 0.98, 1e-9
CLIP = 1.0


def start(parameters):
    """The two running moments, all zero."""
    zeros = {name: jnp.zeros_like(value) for name, value in parameters.items()}
    return {"first": zeros, "second": dict(zeros)}


def rate(step, cycles, warm_up):
    """The learning rate of `step`, counted from 0; cycles: (steps, peak) of each, the last one goes on."""
    for steps, peak in cycles[:-1]:
        if step < steps:
            break
        step -= steps
    else:
        steps, peak = cycles[-1]
    if step < warm_up:
        return peak * (step + 1) / warm_up
    return peak * 0.5 * (1 + math.cos(math.pi * min(1, (step - warm_up) / max(1, steps - warm_up))))


def update(parameters, moments, gradients, step, learning_rate, decay):
    """One step; gives (parameters, moments)."""
    norm = jnp.sqrt(sum(jnp.sum(g * g) for g in jax.tree_util.tree_leaves(gradients)))
    shrink = jnp.minimum(1.0, CLIP / (norm + EPSILON))
    correction = jnp.sqrt(1 - SECOND ** (step + 1.0)) / (1 - FIRST ** (step + 1.0))
    first, second, changed = {}, {}, {}
    for name, value in parameters.items():
        gradient = gradients[name] * shrink
        first[name] = FIRST * moments["first"][name] + (1 - FIRST) * gradient
        second[name] = SECOND * moments["second"][name] + (1 - SECOND) * gradient**2
        change = correction * first[name] / (jnp.sqrt(second[name]) + EPSILON)
        if value.ndim > 1:
            change = change + decay * value
        changed[name] = value - learning_rate * change
    return changed, {"first": first, "second": second}
