"""Holds the activations of a NumPy model against the `transformers` package, name by name: against
what its modules read and made, its hidden states, attentions and logits; and those that no module
shows, by what they must add up to.
"""
import re

import numpy as np

from blocks_numpy import softmax

# Of the larger of 1 and the largest value: the package computes angles and some norms in float32.
TOLERANCE = 1e-5

# A module of ours, whether its inputs or its outputs are meant, and the activation they must be.
SAME = [
    (r"(.*attn)\.(q)uery", "made", r"\1.hook_\2"),
    (r"(.*attn)\.(k)ey", "made", r"\1.hook_\2"),
    (r"(.*attn)\.(v)alue", "made", r"\1.hook_\2"),
    (r"(.*attn)\.output", "read", r"\1.hook_z"),
    (r"(.*mlp)\.gate", "made", r"\1.hook_pre"),
    (r"(.*mlp)\.in", "made", r"\1.hook_pre"),
    (r"(.*mlp)\.linear", "made", r"\1.hook_pre_linear"),  # mlp.in beside a gate
    (r"(.*mlp)\.out", "read", r"\1.hook_post"),
    (r"(.*)\.ln1_post", "made", r"\1.hook_attn_out"),
    (r"(.*)\.ln2_post", "made", r"\1.hook_mlp_out"),
    (r"embed\.token", "made", "embed.hook_embed"),
    (r"embed\.patch", "made", "hook_embed"),
    (r"embed\.token_type", "made", "embed.hook_token_type_embed"),
    (r"embed\.position", "made", "embed.hook_pos_embed"),
    (r"embed\.position", "made", "hook_pos_embed"),
    (r"(encoder|decoder)\.embed\.position", "made", r"\1.hook_pos_embed"),
    (r"classifier", "read", "head.hook_in"),
    (r"unembed", "read", "unembed.hook_in"),
]
# The same where no norm stands between the part and the sum.
ADDED = [
    (r"(.*)\.(attn|cross_attn)\.output", "made", r"\1.hook_\2_out"),
    (r"(.*)\.mlp\.out", "made", r"\1.hook_mlp_out"),
]


class Comparison:
    """The activations of one input, and which of them have been found right."""

    def __init__(self, name, weights, kept):
        self.name, self.weights, self.kept = name, weights, kept
        self.agreed, self.largest = set(), 0.0
        is_sandwich = any(".ln1_post." in key for key in weights)
        self.rules = SAME if is_sandwich else SAME + ADDED

    def same(self, hook, expected):
        self.equal(hook, self.kept[hook], expected)

    def equal(self, hook, got, expected):
        """Takes an activation for right when what was made of it is as expected."""
        expected = np.asarray(expected, np.float64).reshape(got.shape)
        with np.errstate(invalid="ignore"):
            difference = np.abs(np.where(got == expected, 0, got - expected)).max()
        size = np.abs(expected[np.isfinite(expected)]).max()
        if not difference <= TOLERANCE * max(1, size):
            raise SystemExit(f"{self.name}: {hook} differs by {difference}")
        self.largest = max(self.largest, difference)
        self.agreed.add(hook)

    def rest(self):
        return sorted(set(self.kept) - self.agreed)

    def module(self, own, read, made):
        """`own`: our path of a module of the package."""
        if own.endswith("attn.joined"):
            for part, values in zip("qkv", np.split(made, 3, axis=-1)):
                self.same(own.replace("joined", f"hook_{part}"), values)
        if own == "embed.patch":
            made = made.reshape(1, made.shape[1], -1).swapaxes(1, 2)
        if re.search(r"\bln(\d(_post)?|_final)?$|_final_ln$", own):
            self._norm(own, read, made)
        if own.endswith("mlp.in") and own[:-2] + "gate.weight" in self.weights:
            own = own[:-2] + "linear"
        for pattern, side, hook in self.rules:
            match = re.fullmatch(pattern, own)
            if match and match.expand(hook) in self.kept:
                self.same(match.expand(hook), read if side == "read" else made)

    def _norm(self, own, read, made):
        hook = re.sub(r"^(encoder|decoder)\.embed\.ln$", r"\1.ln", own)
        bias = self.weights.get(own + ".bias", 0)
        self.same(f"{hook}.hook_normalized", (made - bias) / self.weights[own + ".weight"])
        mean = read.mean(axis=-1, keepdims=True) if own + ".bias" in self.weights else 0
        normalized = self.kept[f"{hook}.hook_normalized"]
        scales = ((read - mean) * normalized).sum(-1, keepdims=True)
        self.same(f"{hook}.hook_scale", scales / (normalized**2).sum(-1, keepdims=True))
        stream = self._stream_before(own)
        if stream is not None:
            self.same(stream, read)

    def _stream_before(self, own):
        """The residual stream that a norm of the stacks reads."""
        block, _, norm = own.rpartition(".")
        if re.fullmatch(r"ln\d", norm):
            sums = ["hook_resid_mid", "hook_resid_post"]
            if f"{block}.hook_resid_mid_cross" in self.kept:
                sums.insert(1, "hook_resid_mid_cross")
            if f"{block}.hook_normalized_resid_post" not in self.kept:
                sums.insert(0, "hook_resid_pre")
            return f"{block}.{sums[int(norm[-1]) - 1]}"
        final = re.fullmatch(r"ln_final|(encoder|decoder)_final_ln", own)
        stack = (final.group(1) or "blocks") if final else None
        ends = [hook for hook in self.kept if re.match(rf"{stack}\.\d+\.hook_resid_post", hook)]
        return max(ends, default=None)

    def results(self, result):
        """Hidden states, attentions and logits that the package returns."""
        sides = {"blocks": ""}
        if hasattr(result, "encoder_hidden_states"):
            sides = {"encoder": "encoder_", "decoder": "decoder_"}
            for layer, values in enumerate(result.cross_attentions):
                self.same(f"decoder.{layer}.cross_attn.hook_pattern", values.numpy())
        for stack, prefix in sides.items():
            states = getattr(result, prefix + "hidden_states")
            for layer, values in enumerate(getattr(result, prefix + "attentions")):
                block = f"{stack}.{layer}"
                self.same(f"{block}.attn.hook_pattern", values.numpy())
                self.same(f"{block}.hook_resid_pre", states[layer].numpy())
                if f"{block}.hook_normalized_resid_post" in self.kept:
                    self.same(f"{block}.hook_normalized_resid_post", states[layer + 1].numpy())
        is_classifier = "head.hook_out" in self.kept
        self.same("head.hook_out" if is_classifier else "unembed.hook_out", result.logits.numpy())

    def definitions(self):
        """What no module shows, by what it makes with others."""
        kept, weights = self.kept, self.weights
        for hook in self.rest():
            block, _, name = hook.rpartition(".")
            stack, _, layer = block.rpartition(".")
            first = f"{block or 'blocks'}.0.hook_resid_pre"
            following = f"{stack}.{int(layer) + 1}.hook_resid_pre" if layer.isdigit() else ""
            if name == "hook_attn_scores":
                self.equal(hook, softmax(kept[hook]), kept[f"{block}.hook_pattern"])
            elif name == "hook_result" and self.rules is not SAME:
                whole = kept[hook].sum(axis=2) + weights.get(f"{block}.output.bias", 0)
                self.equal(hook, whole, kept[f"{stack}.hook_{layer}_out"])
            elif name == "hook_full_embed":
                self.same(hook, kept[first])
            elif name == "hook_embed" and f"{block}.ln.hook_scale" not in kept:
                positions = kept.get(f"{block}.hook_pos_embed".lstrip("."), 0)
                self.equal(hook, kept[hook] + positions, kept[first])
            elif name == "hook_resid_post" and following in kept:
                self.same(hook, kept[following])
