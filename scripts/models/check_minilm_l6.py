"""Compares web/models/minilm-l6 with the original weights; exits 1 when a promise is not kept.

Needs the Python package of the original (README.md beside this file). Runs both in float64: what is
measured is the rounding of the weights, not the arithmetic of the module.
"""
import json
import sys

from safetensors import safe_open

from minilm_l6 import MODEL, examples, lines, load_tokenizer, original_folder, sha256
from bert_numpy import Encoder, load_config, load_float64
from deviation import compare, judged, landmarks, table


def measure(folder=None):
    """Deviations by set, landmarks of the original and of the shipped weights."""
    folder = folder or original_folder()
    tokenizer = load_tokenizer(folder)
    original = Encoder(load_float64(folder / "model.safetensors"), load_config(folder))
    shipped = Encoder(load_float64(MODEL / "model.safetensors"), load_config(MODEL))
    sets = [
        compare("the page's examples", examples(), tokenizer, original, shipped),
        *(
            compare(name, lines(name), tokenizer, original, shipped)
            for name in ("check_sentences.txt", "held_out_sentences.txt")
        ),
    ]
    return sets, landmarks(tokenizer, original), landmarks(tokenizer, shipped)


def check_files():
    """Sizes and sums as config.json says; the first file holds the same bytes as the whole one."""
    for facts in load_config(MODEL)["headwise"]["files"].values():
        path = MODEL / facts["name"]
        if path.stat().st_size != facts["bytes"] or sha256(path) != facts["sha256"]:
            sys.exit(f"{facts['name']} is not the file that config.json describes")
    with safe_open(MODEL / "model.safetensors", "np") as whole:
        with safe_open(MODEL / "examples.safetensors", "np") as first:
            rows = first.get_tensor("embeddings.word_embeddings.row_ids")
            for name in first.keys():
                if name.endswith("row_ids"):
                    continue
                expected = whole.get_tensor(name)
                if "word_embeddings" in name:
                    expected = expected[rows]
                if not (first.get_tensor(name) == expected).all():
                    sys.exit(f"examples.safetensors: {name} differs from model.safetensors")


def main():
    check_files()
    sets, originals, ours = measure()
    print(table(sets, originals, ours), end="\n\n")
    failed = 0
    for name, value, bound, kept in judged(sets, ours):
        failed += not kept
        print(f"{'ok    ' if kept else 'FAILED'}  {name}: {value:.5f} ({bound})")
    total = sum(path.stat().st_size for path in MODEL.iterdir())
    print(json.dumps({"folderBytes": total}))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
