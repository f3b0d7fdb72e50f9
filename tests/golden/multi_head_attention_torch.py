"""Writes what torch.nn.MultiheadAttention itself gives: tests/golden/torch-mha/*.json.

Needs torch (Debian's python3-torch 1.13 serves); nothing else in the project does. Inputs are
multiples of 1/64, which float32 and JSON carry exactly; torch computes in float64. Masks are written
in our convention (true = attend, true = a real token), which is the opposite of torch's.
"""
import json
from pathlib import Path

import torch

FOLDER = Path(__file__).resolve().parent / "torch-mha"
SOURCE = f"torch.nn.MultiheadAttention, torch {torch.__version__}, float64, batch_first"
TOLERANCE = 4e-6
GENERATOR = torch.Generator().manual_seed(20)


def random(*dims, spread=1.0):
    values = torch.randn(*dims, generator=GENERATOR, dtype=torch.float64) * spread
    return torch.round(values * 64) / 64


def number(value):
    if value in (float("inf"), float("-inf")):
        return "inf" if value > 0 else "-inf"
    rounded = float(f"{value:.9g}")
    return int(rounded) if rounded == int(rounded) else rounded


def floats(tensor):
    return {"dims": list(tensor.shape), "data": [number(v) for v in tensor.flatten().tolist()]}


def booleans(tensor):
    return {"dims": list(tensor.shape), "bool": [int(v) for v in tensor.flatten().tolist()]}


def layer(width, heads, key_width, value_width, bias):
    """The layer with random weights, and the same weights by our names."""
    module = torch.nn.MultiheadAttention(
        width, heads, bias=bias, kdim=key_width, vdim=value_width, batch_first=True
    ).double()
    weights = {
        "W_Q": random(width, width, spread=0.4),
        "W_K": random(width, key_width, spread=0.4),
        "W_V": random(width, value_width, spread=0.4),
        "W_O": random(width, width, spread=0.4),
    }
    if bias:
        weights |= {name: random(width, spread=0.5) for name in ("b_Q", "b_K", "b_V", "b_O")}
    projections = [weights[name] for name in ("W_Q", "W_K", "W_V")]
    with torch.no_grad():
        if module.in_proj_weight is not None:
            module.in_proj_weight.copy_(torch.cat(projections))
        else:
            module.q_proj_weight.copy_(projections[0])
            module.k_proj_weight.copy_(projections[1])
            module.v_proj_weight.copy_(projections[2])
        module.out_proj.weight.copy_(weights["W_O"])
        if bias:
            module.in_proj_bias.copy_(torch.cat([weights[n] for n in ("b_Q", "b_K", "b_V")]))
            module.out_proj.bias.copy_(weights["b_O"])
    return module, weights


def write(
    name,
    why,
    *,
    batch=2,
    queries=5,
    keys=None,
    width=12,
    heads=3,
    key_width=None,
    value_width=None,
    bias=True,
    causal=False,
    key_mask=None,
    mask=None,
):
    """keys = None is self-attention. key_mask [B, Skv], mask [Sq, Skv] or [B, H, Sq, Skv]: ours."""
    module, weights = layer(width, heads, key_width or width, value_width or width, bias)
    query = random(batch, queries, width)
    inputs = {"query": floats(query)}
    key = value = query
    if keys is not None:
        key = random(batch, keys, key_width or width)
        value = random(batch, keys, value_width or width)
        inputs |= {"key": floats(key), "value": floats(value)}
    inputs |= {label: floats(tensor) for label, tensor in weights.items()}
    options = {"numHeads": heads}
    theirs = None
    if causal:
        options["causal"] = True
        theirs = torch.ones(queries, key.shape[1], dtype=torch.bool).triu(1)
    if mask is not None:
        inputs["mask"] = booleans(mask) if mask.dtype == torch.bool else floats(mask)
        theirs = ~mask if mask.dtype == torch.bool else mask
        if theirs.dim() == 4:
            theirs = theirs.flatten(0, 1)
    if key_mask is not None:
        inputs["keyMask"] = booleans(key_mask)
    output, attention = module(
        query,
        key,
        value,
        key_padding_mask=None if key_mask is None else ~key_mask,
        attn_mask=theirs,
        average_attn_weights=False,
    )
    hidden = causal or mask is not None or key_mask is not None
    case = {
        "name": name,
        "source": SOURCE,
        "why": why,
        "op": "multi_head_attention",
        "inputs": inputs,
        "options": options,
        "expect": {
            "output": floats(output),
            "weights": floats(attention),
            "properties": ["rows sum to 1"] + (["zeros are exact"] if hidden else []),
        },
        "tolerance": TOLERANCE,
    }
    (FOLDER / f"{name}.json").write_text(json.dumps(case, separators=(",", ":")) + "\n")


def some(*dims):
    """Random true and false; the first key is always visible, since torch gives NaN for empty rows."""
    visible = torch.rand(*dims, generator=GENERATOR) < 0.6
    visible[..., 0] = True
    return visible


def main():
    FOLDER.mkdir(exist_ok=True)
    write("self", "Self-attention with all four biases.")
    write("self-without-bias", "Self-attention, bias=False.", bias=False)
    write("one-head", "One head as wide as the model.", heads=1, width=7)
    write("one-token", "A single query and key: the weights are 1.", queries=1)
    write("longer", "More than one tile of queries and keys.", batch=1, queries=37, width=32, heads=4)
    write("cross", "Keys and values from another sequence: [Sq, Skv] maps.", queries=3, keys=7)
    write(
        "cross-kdim-vdim",
        "Keys and values of their own widths (kdim, vdim).",
        queries=4,
        keys=6,
        width=8,
        heads=2,
        key_width=5,
        value_width=10,
    )
    write(
        "cross-kdim-vdim-without-bias",
        "The same without bias.",
        queries=4,
        keys=6,
        width=8,
        heads=2,
        key_width=5,
        value_width=10,
        bias=False,
    )
    lengths = torch.tensor([5, 3])
    padding = torch.arange(5)[None] < lengths[:, None]
    write("key-padding", "key_padding_mask: the second text is shorter.", key_mask=padding)
    write("causal", "Each query sees itself and what is before it.", queries=6, causal=True)
    write("causal-key-padding", "Both at once.", causal=True, key_mask=padding)
    write(
        "causal-cross",
        "A causal mask over keys of another sequence, aligned at the first key.",
        queries=4,
        keys=6,
        causal=True,
    )
    write("boolean-mask", "attn_mask of type bool, [Sq, Skv].", mask=some(5, 5))
    bias = random(5, 5).masked_fill(~some(5, 5), float("-inf"))
    write("float-mask", "attn_mask of type float: added, -inf hides.", mask=bias)
    bias = random(2, 3, 4, 6).masked_fill(~some(2, 3, 4, 6), float("-inf"))
    write(
        "float-mask-of-each-head",
        "attn_mask [B * H, Sq, Skv] with other numbers for every head.",
        queries=4,
        keys=6,
        mask=bias,
    )
    write(
        "boolean-mask-key-padding",
        "attn_mask and key_padding_mask combine.",
        mask=some(5, 5),
        key_mask=padding,
    )


if __name__ == "__main__":
    main()
