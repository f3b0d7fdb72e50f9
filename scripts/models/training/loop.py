"""The loop that both models are trained by: steps, a log of the loss, checkpoints.

A run that was cut off goes on from its last checkpoint: a batch depends on the seed and the number
of its step alone.
"""
import json
import time

import jax
import jax.numpy as jnp
import numpy as np

import optimiser

SMOOTHED = 0.98


def save(path, parameters, moments, step, log):
    """One .npz: parameters, moments, step and log."""
    arrays = {f"p:{name}": value for name, value in parameters.items()}
    for kind, values in moments.items():
        arrays |= {f"{kind}:{name}": value for name, value in values.items()}
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part.npz")
    np.savez(part, step=step, log=json.dumps(log), **arrays)
    part.replace(path)


def restore(path):
    """(parameters, moments, step, log) as `save` left them."""
    with np.load(path) as file:
        def group(kind):
            start = kind + ":"
            return {n[len(start) :]: jnp.asarray(file[n]) for n in file.files if n.startswith(start)}

        moments = {"first": group("first"), "second": group("second")}
        return group("p"), moments, int(file["step"]), json.loads(str(file["log"]))


def train(parameters, loss, batch_of, *, cycles, warm_up, decay, checkpoint, evaluate, every):
    """Minimises `loss(parameters, batch)` over `batch_of(step)`; gives (parameters, log).

    cycles: (steps, peak of the learning rate) of each; all of them are run.

    evaluate(parameters) is a dictionary of figures, logged every `every` steps and at the end beside
    the running mean of the training loss; the checkpoint is written then too.
    """

    @jax.jit
    def one_step(p, moments, batch, step, rate):
        value, gradients = jax.value_and_grad(loss)(p, batch)
        p, moments = optimiser.update(p, moments, gradients, step, rate, decay)
        return p, moments, value

    steps = sum(count for count, _ in cycles)
    moments, first, log = optimiser.start(parameters), 0, []
    if checkpoint.exists():
        parameters, moments, first, log = restore(checkpoint)
        print(f"going on from step {first} of {checkpoint}", flush=True)
    running, since = None, time.monotonic()
    minutes_before = log[-1]["minutes"] if log else 0.0
    for step in range(first, steps):
        rate = optimiser.rate(step, cycles, warm_up)
        parameters, moments, value = one_step(parameters, moments, batch_of(step), step, rate)
        value = float(value)
        running = value if running is None else SMOOTHED * running + (1 - SMOOTHED) * value
        done = step + 1
        if done % every == 0 or done == steps:
            seconds = time.monotonic() - since
            minutes = minutes_before + seconds / 60
            log.append({"step": done, "minutes": minutes, "trainingLoss": running, **evaluate(parameters)})
            save(checkpoint, parameters, moments, done, log)
            figures = ", ".join(f"{k} {v:.4g}" for k, v in log[-1].items())
            print(f"{figures}; {seconds / (done - first):.3f} s a step", flush=True)
    return parameters, log
