"""Counts parameters and multiplications of attention layers that PyTorch builds and runs.

Writes parameters/counts.json. Parameters are the elements of the modules' tensors
(torch.nn.MultiheadAttention where it has the shape, linear layers where it does not);
multiplications are what torch's profiler counts while the layer runs. Nothing here knows a formula.

    /usr/bin/python3 tests/golden/parameters_torch.py
"""

import json
from pathlib import Path

import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile

FOLDER = Path(__file__).parent / "parameters"
TOKENS = 3


class Grouped(nn.Module):
    """Query, key, value and output projections; keys and values shared by groups of heads."""

    def __init__(self, d_model, heads, kv_heads, head_dim, bias):
        super().__init__()
        self.heads, self.kv_heads, self.head_dim = heads, kv_heads, head_dim
        self.query = nn.Linear(d_model, heads * head_dim, bias=bias)
        self.key = nn.Linear(d_model, kv_heads * head_dim, bias=bias)
        self.value = nn.Linear(d_model, kv_heads * head_dim, bias=bias)
        self.output = nn.Linear(heads * head_dim, d_model, bias=bias)

    def forward(self, x):
        tokens = len(x)
        query = self.query(x).view(tokens, self.heads, self.head_dim).transpose(0, 1)
        key = self.key(x).view(tokens, self.kv_heads, self.head_dim).transpose(0, 1)
        value = self.value(x).view(tokens, self.kv_heads, self.head_dim).transpose(0, 1)
        share = self.heads // self.kv_heads
        key, value = key.repeat_interleave(share, 0), value.repeat_interleave(share, 0)
        weights = torch.softmax(torch.bmm(query, key.transpose(1, 2)), -1)
        return self.output(torch.bmm(weights, value).transpose(0, 1).reshape(tokens, -1))

    def kept(self):
        return 2 * self.kv_heads * self.head_dim


class Latent(nn.Module):
    """DeepSeek-V2, section 2.1 and appendix C, without the norms of the latents and the rotation."""

    def __init__(self, d_model, heads, head_dim, latent, query_latent, rotary):
        super().__init__()
        self.heads, self.head_dim, self.rotary = heads, head_dim, rotary
        self.query_down = nn.Linear(d_model, query_latent, bias=False)
        self.query_up = nn.Linear(query_latent, heads * head_dim, bias=False)
        self.query_rotary = nn.Linear(query_latent, heads * rotary, bias=False)
        self.latent_down = nn.Linear(d_model, latent, bias=False)
        self.key_rotary = nn.Linear(d_model, rotary, bias=False)
        self.key_up = nn.Linear(latent, heads * head_dim, bias=False)
        self.value_up = nn.Linear(latent, heads * head_dim, bias=False)
        self.output = nn.Linear(heads * head_dim, d_model, bias=False)

    def forward(self, x):
        tokens = len(x)

        def split(y, width):
            return y.view(tokens, self.heads, width).transpose(0, 1)

        down = self.query_down(x)
        latent, rotary = self.latent_down(x), self.key_rotary(x)
        query = torch.cat(
            [split(self.query_up(down), self.head_dim), split(self.query_rotary(down), self.rotary)], -1
        )
        shared = rotary.unsqueeze(0).expand(self.heads, -1, -1)
        key = torch.cat([split(self.key_up(latent), self.head_dim), shared], -1)
        value = split(self.value_up(latent), self.head_dim)
        weights = torch.softmax(torch.bmm(query, key.transpose(1, 2)), -1)
        self.cached = latent.shape[1] + rotary.shape[1]
        return self.output(torch.bmm(weights, value).transpose(0, 1).reshape(tokens, -1))

    def kept(self):
        return self.cached


def multiplications(module, x):
    """Products in the projections for one token, and in scores and sums for one pair of tokens."""
    with profile(activities=[ProfilerActivity.CPU], with_flops=True) as run:
        module(x)
    events = run.key_averages()
    flops = {kind: sum(e.flops for e in events if e.key in kind) for kind in (("aten::addmm", "aten::mm"), ("aten::bmm",))}
    projections, pairs = (count // 2 for count in flops.values())
    assert projections % len(x) == 0 and pairs % len(x) ** 2 == 0
    return projections // len(x), pairs // len(x) ** 2


def counted(shape, module):
    weights = sum(p.numel() for p in module.parameters() if p.dim() == 2)
    biases = sum(p.numel() for p in module.parameters() if p.dim() == 1)
    with torch.no_grad():
        per_token, per_pair = multiplications(module, torch.zeros(TOKENS, shape["dModel"]))
    return {
        **shape,
        "weights": weights,
        "biases": biases,
        "perToken": per_token,
        "perPair": per_pair,
        "kept": module.kept(),
        "matrices": [p.numel() for p in module.parameters() if p.dim() == 2],
    }


def grouped_case(d_model, heads, kv_heads, head_dim, bias):
    shape = {"dModel": d_model, "heads": heads, "kvHeads": kv_heads, "headDim": head_dim, "bias": bias, "latent": False}
    case = counted(shape, Grouped(d_model, heads, kv_heads, head_dim, bias))
    if kv_heads == heads and heads * head_dim == d_model:
        own = nn.MultiheadAttention(d_model, heads, bias=bias)
        assert sum(p.numel() for p in own.parameters()) == case["weights"] + case["biases"]
    return case


def latent_case(d_model, heads, head_dim, latent, query_latent, rotary):
    shape = {"dModel": d_model, "heads": heads, "kvHeads": heads, "headDim": head_dim, "bias": False, "latent": True}
    return counted(shape, Latent(d_model, heads, head_dim, latent, query_latent, rotary))


def cases():
    for heads in (1, 2, 8, 16, 64, 512):
        yield grouped_case(512, heads, heads, 512 // heads, heads == 8)
    yield grouped_case(768, 12, 12, 64, True)
    yield grouped_case(1024, 16, 16, 64, False)
    for heads in (1, 7, 16):
        yield grouped_case(512, heads, heads, 64, heads == 7)
    for kv_heads in (1, 2, 4):
        yield grouped_case(512, 8, kv_heads, 64, kv_heads == 2)
    yield latent_case(512, 8, 64, 256, 768, 32)
    yield latent_case(256, 4, 32, 128, 384, 16)
    # DeepSeek-V2 itself, with the widths its paper prints.
    yield latent_case(5120, 128, 128, 512, 1536, 64)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    lines = ",\n ".join(json.dumps(case) for case in cases())
    (FOLDER / "counts.json").write_text(f"[\n {lines}\n]\n", encoding="utf-8")
