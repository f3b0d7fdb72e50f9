"""Writes the golden activations of the two models made here: NAME.safetensors and NAME.json.

Float64 from the shipped int8 weights as dequantised, run by ../architectures/blocks_numpy.py, which
was written from the definitions and knows neither the training code nor ours; stored as float32. The
JSON holds what greedy decoding makes of some texts, token for token, with everything computed anew
for each token. README.md says what is needed.
"""
import json
import sys
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file
from tokenizers import Tokenizer

HERE = Path(__file__).resolve().parent
MODELS = HERE.parents[2] / "web" / "models"
sys.path.insert(0, str(HERE.parent / "architectures"))
from families_numpy import model_of  # noqa: E402

# Where the two best logits are closer than this, float32 may choose the other one.
MARGIN = 1e-3
ACTIVATIONS = {
    "translate-en-fr": ("My sister reads a book.", "Ma soeur lit un livre."),
    "novels-lm": ("She opened the door", None),
}
TEXTS = {
    "translate-en-fr": [
        "I love you.",
        "Where is the station?",
        "Tom is not as tall as his brother.",
        "She bought a new car yesterday.",
        "Can you help me with my homework?",
        "The children are playing in the garden.",
    ],
    "novels-lm": [
        "The old man closed the door of the library, and",
        "It was a dark evening in November",
        '"I do not know," said',
        "My dear sister,",
    ],
}
NEW_TOKENS = 24


def dequantised(path):
    """int8 rows times their scales, everything else as it is; float64."""
    stored = load_file(path)
    return {
        name: value.astype(np.float64)
        * (stored[name + "_scale"][:, None].astype(np.float64) if name + "_scale" in stored else 1)
        for name, value in stored.items()
        if not name.endswith("_scale")
    }


def greedy(model, config, ids):
    """The most probable next token, NEW_TOKENS times or until the end token; and the least margin."""
    is_pair = config["is_encoder_decoder"] if "is_encoder_decoder" in config else False
    tokens = [config["decoder_start_token_id"]] if is_pair else list(ids)
    begun, least = len(tokens), np.inf
    for _ in range(NEW_TOKENS):
        inputs = {"ids": ids, "decoder_ids": np.array(tokens)} if is_pair else {"ids": np.array(tokens)}
        logits = model.run(inputs, lambda *_: None)[-1].copy()
        if is_pair:
            logits[config["pad_token_id"]] = -np.inf
        second, best = np.argsort(logits)[-2:]
        least = min(least, logits[best] - logits[second])
        tokens.append(int(best))
        if best == config["eos_token_id"]:
            break
    return tokens[begun:], least


def write(name):
    folder = MODELS / name
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    model = model_of(dequantised(folder / "model.safetensors"), config)
    text, french = ACTIVATIONS[name]
    inputs = {"ids": np.array(tokenizer.encode(text).ids, np.int32)}
    if french:
        begun = [config["decoder_start_token_id"], *tokenizer.encode(french).ids[:-1]]
        inputs["decoder_ids"] = np.array(begun, np.int32)
    kept = {}
    model.run(inputs, lambda hook, values: kept.__setitem__(hook, values[None]))
    tensors = {hook: np.ascontiguousarray(values.astype(np.float32)) for hook, values in kept.items()}
    save_file(tensors | inputs, HERE / f"{name}.safetensors", {"text": text})
    cases = []
    for text in TEXTS[name]:
        ids = tokenizer.encode(text).ids
        tokens, margin = greedy(model, config, np.array(ids))
        if margin < MARGIN:
            print(f"{name}: left out, for two tokens are all but equal: {text}")
            continue
        said = tokenizer.decode(tokens, skip_special_tokens=True)
        cases.append({"text": text, "ids": ids, "generated": tokens, "said": said})
        print(f"{name}: {text} -> {said}")
    (HERE / f"{name}.json").write_text(json.dumps(cases, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    for model_name in sys.argv[1:] or ACTIVATIONS:
        write(model_name)
