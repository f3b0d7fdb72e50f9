"""Makes web/models/minilm-l6 from the original all-MiniLM-L6-v2: int8 weights in the order of use.

Needs the Python package of the original (README.md beside this file). LICENSE and examples.json of
the folder are kept; everything else is written: config.json, tokenizer.json, model.safetensors,
examples.safetensors (what stands before block 0, for the example sentences) and the model card with
the deviations measured on the files just written. The rounding depends on sums in float64, so
another BLAS may round a few weights the other way.
"""
import json
import shutil

import numpy as np

from minilm_l6 import (
    MODEL,
    SCRIPTS,
    examples,
    lines,
    load_tokenizer,
    original_folder,
    paragraphs,
    sha256,
)
from bert_numpy import Encoder, load_config, load_float64
from check_minilm_l6 import check_files, measure
from deviation import table
from rounding import OUTLIER, find_outliers, round_for_inputs, round_rows
from safetensors_file import write

WORDS = "embeddings.word_embeddings"
METADATA = {"format": "pt", "headwise": "int8-symmetric-rows"}
# The dense layers of a block and the input each one reads.
DENSE = {
    "attention.self.query": "block",
    "attention.self.key": "block",
    "attention.self.value": "block",
    "attention.output.dense": "heads",
    "intermediate.dense": "middle",
    "output.dense": "hidden",
}


def input_moments(encoder, tokenizer):
    """Mean of x x^T over the calibration text, for the input of every dense layer."""
    moments = {}
    tokens = 0
    for text in lines("calibration.txt") + paragraphs():
        encoding = tokenizer.encode(*text)
        tokens += len(encoding.ids)
        _, kept = encoder.activations(encoding.ids, encoding.type_ids)
        for layer in range(encoder.num_layers):
            block = f"blocks.{layer}."
            inputs = {
                "block": kept[block + "hook_resid_pre"],
                "heads": kept[block + "attn.hook_z"].reshape(len(encoding.ids), -1),
                "middle": kept[block + "hook_resid_post"] - kept[block + "hook_mlp_out"],
                "hidden": kept[block + "mlp.hook_post"],
            }
            for name, x in inputs.items():
                moments[layer, name] = moments.get((layer, name), 0) + x.T @ x
    return {key: total / tokens for key, total in moments.items()}


def embedding_moments(weights):
    """How much an error in an embedding matters, by direction, [E, E].

    The norm scales it, then it goes two ways that count alike: into the residual stream as it is, and
    through the projections of block 0.
    """
    gain = weights["embeddings.LayerNorm.weight"]
    matters = np.eye(len(gain))
    for part in ("query", "key", "value"):
        projection = weights[f"encoder.layer.0.attention.self.{part}.weight"]
        seen = projection.T @ projection
        matters += seen * (len(gain) / np.trace(seen) / 3)
    return gain[:, None] * matters * gain


def block_tensors(weights, layer, moments):
    """(name, array) of one block, in the order in which they are used."""

    def dense(part):
        name = f"encoder.layer.{layer}.{part}"
        weight = weights[name + ".weight"]
        rounded = round_for_inputs(weight, moments[layer, DENSE[part]], find_outliers(weight))
        return int8_tensors(name + ".weight", rounded) + floats(weights, name + ".bias")

    def norm(part):
        name = f"encoder.layer.{layer}.{part}.LayerNorm"
        return floats(weights, name + ".weight") + floats(weights, name + ".bias")

    parts = [dense(f"attention.self.{p}") for p in ("query", "key", "value")]
    parts += [dense("attention.output.dense"), norm("attention.output")]
    parts += [dense("intermediate.dense"), dense("output.dense"), norm("output")]
    return [tensor for part in parts for tensor in part]


def int8_tensors(name, rounded, rows=slice(None)):
    """The int8 values, the outliers where there are any, and last the scales: then all is there."""
    tensors = [(name, rounded.values[rows])]
    if len(rounded.outliers) > 0:
        tensors += [
            (name + "_outlier_positions", rounded.positions),
            (name + "_outliers", rounded.outliers),
        ]
    return tensors + [(name + "_scale", rounded.scales[rows])]


def floats(weights, name):
    return [(name, weights[name].astype(np.float32))]


def before_blocks(weights, moments):
    """What is added to the word embeddings, and the norm after it."""
    position = "embeddings.position_embeddings.weight"
    return (
        floats(weights, "embeddings.LayerNorm.weight")
        + floats(weights, "embeddings.LayerNorm.bias")
        + floats(weights, "embeddings.token_type_embeddings.weight")
        + int8_tensors(position, round_for_inputs(weights[position], moments))
    )


def example_rows(tokenizer):
    """Token ids of the example sentences and the special tokens, ascending."""
    ids = {tokenizer.token_to_id(t) for t in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")}
    for text in examples():
        ids.update(tokenizer.encode(*text).ids)
    return np.array(sorted(ids), np.int32)


def file_facts(name):
    path = MODEL / name
    return {"name": name, "bytes": path.stat().st_size, "sha256": sha256(path)}


def write_config(source):
    config = load_config(source)
    config["headwise"] = {
        "formatVersion": 1,
        "quantization": {
            "scheme": "int8-symmetric-rows",
            "scaleSuffix": "_scale",
            "outliersSuffix": "_outliers",
            "outlierPositionsSuffix": "_outlier_positions",
        },
        "files": {
            "weights": file_facts("model.safetensors"),
            "firstRows": file_facts("examples.safetensors"),
            "tokenizer": file_facts("tokenizer.json"),
            "examples": file_facts("examples.json"),
        },
        "embedding": {"pooling": "mean", "normalize": True},
    }
    text = json.dumps(config, indent=2, ensure_ascii=False) + "\n"
    (MODEL / "config.json").write_text(text, encoding="utf-8")


def write_card(outliers, figures):
    card = (SCRIPTS / "minilm_l6_card.md").read_text(encoding="utf-8")
    card = card.format(outliers=outliers, threshold=OUTLIER, deviations=figures)
    (MODEL / "README.md").write_text(card, encoding="utf-8")
    return figures


def main():
    source = original_folder()
    tokenizer = load_tokenizer(source)
    weights = load_float64(source / "model.safetensors")
    encoder = Encoder(weights, load_config(source))

    print("running the calibration text", flush=True)
    moments = input_moments(encoder, tokenizer)
    tensors = []
    for layer in range(encoder.num_layers):
        print(f"rounding block {layer}", flush=True)
        tensors += block_tensors(weights, layer, moments)
    tensors += int8_tensors("pooler.dense.weight", round_rows(weights["pooler.dense.weight"]))
    tensors += floats(weights, "pooler.dense.bias")
    embedding = embedding_moments(weights)
    before = before_blocks(weights, embedding)
    words = round_for_inputs(weights[WORDS + ".weight"], embedding)
    tensors += before + int8_tensors(WORDS + ".weight", words)
    write(MODEL / "model.safetensors", tensors, METADATA)

    rows = example_rows(tokenizer)
    first = [(WORDS + ".row_ids", rows)]
    first += int8_tensors(WORDS + ".weight", words, rows)
    write(MODEL / "examples.safetensors", first + before, METADATA)
    shutil.copyfile(source / "tokenizer.json", MODEL / "tokenizer.json")
    write_config(source)

    print("measuring against the original", flush=True)
    check_files()
    outliers = sum(array.size for name, array in tensors if name.endswith("_outliers"))
    print(write_card(outliers, table(*measure(source))))


if __name__ == "__main__":
    main()
