"""Writes every tiny checkpoint with its golden activations: NAME/{config.json, model.safetensors,
golden.safetensors}, and the tokenizer.json they share.

The activations are those of the NumPy float64 models beside this file. Before anything is written
they are compared with what the modules of the `transformers` package read and make, with its hidden
states, attentions and logits, and with the tokens that it generates. README.md says how to run it.
"""
import itertools
import json
import re
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import save_file
from safetensors.torch import load_file as load_torch
from safetensors.torch import save_file as save_torch

from cases import CASES, VOCABULARY
from comparison import Comparison
from families_numpy import TABLES, model_of
from package import EXTRAS, Observed, build, generated
from tokenizer import tokenizer_json

HERE = Path(__file__).resolve().parent
LENGTH, PROMPT, NEW_TOKENS = 9, 5, 8
# A text that repeats one token would hide what a cache gets wrong.
DIFFERENT = 5
# Of the two best logits wherever a token is chosen: what float32 cannot turn over.
MARGIN = 1e-3
# Of an activation: beyond it float32 leaves less than the digits to be compared.
LARGEST = 20
MOVED = ("bad_words_ids", "forced_bos_token_id", "forced_eos_token_id")


class AnotherSeed(Exception):
    """These random weights do not serve."""


def inputs_of(name, random):
    prefix, _, settings, _ = CASES[name]
    if prefix in ("ViT", "DeiT"):
        side = settings["image_size"]
        return {"pixels": random.normal(0, 1, (3, side, side)).astype(np.float32)}
    inputs = {"ids": random.integers(5, VOCABULARY - 2, LENGTH).astype(np.int32)}
    if prefix == "Bert":
        inputs["type_ids"] = (np.arange(LENGTH) > 5).astype(np.int32)
    if "decoder_start_token_id" in settings:
        decoder_ids = random.integers(5, VOCABULARY - 2, LENGTH - 4).astype(np.int32)
        decoder_ids[0] = settings["decoder_start_token_id"]
        inputs["decoder_ids"] = decoder_ids
    return inputs


def greedy(model, name, ids):
    """The most likely next token, again and again: what stands after the ids that begin it."""
    settings = CASES[name][2]
    banned = [row[0] for row in settings.get("bad_words_ids", [])]
    is_pair = "decoder_start_token_id" in settings
    tokens = list(ids)
    if is_pair:
        first = [settings["decoder_start_token_id"], settings.get("forced_bos_token_id")]
        tokens = [token for token in first if token is not None]
    begun = len(tokens)
    for _ in range(NEW_TOKENS):
        part = {"ids": ids, "decoder_ids": np.array(tokens)} if is_pair else {"ids": tokens}
        logits = model.run(part, lambda *_: None)[-1].copy()
        logits[banned] = -np.inf
        second, best = np.argsort(logits)[-2:]
        if logits[best] - logits[second] < MARGIN:
            raise AnotherSeed
        tokens.append(int(best))
    if len(set(tokens[begun:])) < DIFFERENT:
        raise AnotherSeed
    return np.array(tokens[begun:], np.int32), tokens


def make(name, seed):
    package_model = build(name, seed)
    random = np.random.default_rng(seed + 1)
    folder = HERE / name
    config, stored = write_checkpoint(name, package_model, folder)
    table = TABLES[config["model_type"]]
    model = model_of({key: values.double().numpy() for key, values in stored.items()}, config)

    inputs = inputs_of(name, random)
    kept = {}
    model.run(inputs, lambda hook, values: kept.__setitem__(hook, values[None]))
    if max(np.abs(values[np.isfinite(values)]).max() for values in kept.values()) > LARGEST:
        raise AnotherSeed
    comparison = Comparison(name, model.weights, kept)
    paths = instances(table, package_model)
    observed = Observed(package_model, paths)
    comparison.results(observed.run(package_model, inputs))
    for path in observed.outputs:
        comparison.module(paths[path], observed.inputs[path], observed.outputs[path])
    comparison.definitions()

    golden = dict(inputs)
    if "LMHead" in CASES[name][1] or "Causal" in CASES[name][1] or "decoder_ids" in inputs:
        prompt = inputs["ids"][:PROMPT]
        own, whole = greedy(model, name, prompt)
        theirs = generated(package_model, prompt, NEW_TOKENS)
        if len(theirs) < len(whole):
            raise AnotherSeed  # the end of the text came too soon
        if list(theirs[: len(whole)]) != whole:
            raise SystemExit(f"{name}: generated {whole}, the package {list(theirs)}")
        golden |= {"prompt": prompt, "generated": own}
    # safetensors writes memory as it lies.
    golden |= {hook: np.ascontiguousarray(values, np.float32) for hook, values in kept.items()}
    save_file(golden, folder / "golden.safetensors")
    rest = sorted({re.sub(r"\d+", "i", hook) for hook in comparison.rest()})
    print(
        f"{name}: {len(kept)} activations, largest difference {comparison.largest:.1e},",
        f"not shown by the package: {', '.join(rest) or 'none'}",
    )


def instances(table, model):
    """Every module of the package that the table knows, with ours."""
    found = {}
    for path in (name for name, module in model.named_modules() if not any(module.children())):
        for theirs, ours in table.items():
            match = re.fullmatch(re.escape(theirs).replace(r"\{i\}", r"(\d+)"), path)
            if match:
                found[path] = ours.replace("{i}", match.group(1)) if match.groups() else ours
    return found


def write_checkpoint(name, model, folder):
    """As save_pretrained writes it, in the type of the case and with what old files carry."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    dtype = getattr(torch, CASES[name][3])
    with tempfile.TemporaryDirectory() as scratch:
        model.save_pretrained(scratch, safe_serialization=True)
        tensors = load_torch(Path(scratch) / "model.safetensors")
        config = json.loads((Path(scratch) / "config.json").read_text())
    tensors = {key: values.to(dtype).contiguous() for key, values in tensors.items()}
    # What newer files have elsewhere, and older ones here.
    config |= {key: value for key, value in CASES[name][2].items() if key in MOVED}
    config["torch_dtype"] = CASES[name][3]
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    extras = EXTRAS.get(name, {})
    save_torch(tensors | extras, folder / "model.safetensors", metadata={"format": "pt"})
    return config, tensors


def main():
    (HERE / "tokenizer.json").write_text(json.dumps(tokenizer_json(VOCABULARY), indent=1) + "\n")
    for number, name in enumerate(CASES, start=1):
        if not sys.argv[1:] or name in sys.argv[1:]:
            make_with_some_seed(name, 1000 * number)


def make_with_some_seed(name, first):
    for seed in itertools.count(first, 2):
        try:
            return make(name, seed)
        except AnotherSeed:
            continue


if __name__ == "__main__":
    main()
