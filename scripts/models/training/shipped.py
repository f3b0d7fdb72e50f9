"""A trained model as the folder that is shipped: int8 rows with scales, in Hugging Face's layout."""
import shutil
import sys

import numpy as np
from safetensors.numpy import load_file

from corpus import MODELS, ROOT, read_json, sha256, write_json

sys.path.insert(0, str(ROOT / "scripts" / "models"))
from rounding import round_rows  # noqa: E402
from safetensors_file import write  # noqa: E402

SCALE = "_scale"
METADATA = {"format": "pt", "headwise": "int8-symmetric-rows"}


def tensors_of(parameters):
    """(name, array) of the file: matrices as int8 rows and their scales, all else as float32."""
    tensors = []
    for name, value in parameters.items():
        value = np.asarray(value, np.float64)
        if value.ndim == 2 and len(value) > 1:
            rounded = round_rows(value)
            tensors += [(name, rounded.values), (name + SCALE, rounded.scales)]
        else:
            tensors.append((name, value.astype(np.float32)))
    return tensors


def write_folder(name, work, parameters, config, generation):
    """Configuration, tokenizer, weights and licence of web/models/`name`."""
    folder = MODELS / name
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "model.safetensors", tensors_of(parameters), METADATA)
    shutil.copyfile(work / "tokenizer.json", folder / "tokenizer.json")
    shutil.copyfile(ROOT / "LICENSE", folder / "LICENSE")
    files = {"weights": "model.safetensors", "tokenizer": "tokenizer.json"}
    config["headwise"] = {
        "formatVersion": 1,
        "quantization": {"scheme": METADATA["headwise"], "scaleSuffix": SCALE},
        "files": {role: facts(folder / file) for role, file in files.items()},
    }
    write_json(folder / "config.json", config)
    write_json(folder / "generation_config.json", generation)
    return folder


def facts(path):
    return {"name": path.name, "bytes": path.stat().st_size, "sha256": sha256(path)}


def load(name):
    """({parameter: float64 array as dequantised}, config) of web/models/`name`."""
    folder = MODELS / name
    stored = load_file(folder / "model.safetensors")
    parameters = {}
    for key, value in stored.items():
        if not key.endswith(SCALE):
            scale = stored.get(key + SCALE)
            value = value.astype(np.float64)
            parameters[key] = value if scale is None else value * scale[:, None].astype(np.float64)
    return parameters, read_json(folder / "config.json")


def loss_table(log, figure, rows=12):
    """The loss curve as a Markdown table of at most `rows` points, the last among them."""
    every = max(1, -(-len(log) // rows))
    points = log[every - 1 :: every]
    if points[-1] is not log[-1]:
        points = [*points, log[-1]]
    lines = ["| step | training loss | held out |", "| ---: | ---: | ---: |"]
    lines += [f"| {p['step']:,} | {p['trainingLoss']:.3f} | {p[figure]:.3f} |" for p in points]
    return "\n".join(lines)


def write_card(name, template, figures):
    """README.md of the folder: `template` with its {names} filled in."""
    text = template.read_text(encoding="utf-8").format(**figures)
    (MODELS / name / "README.md").write_text(text, encoding="utf-8")
