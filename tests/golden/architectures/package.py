"""The `transformers` package: tiny models with seeded weights, and what their modules compute."""
import inspect
import re
import warnings

import numpy as np
import torch
import transformers

from cases import CASES

warnings.filterwarnings("ignore", "Moving the following attributes in the config")
transformers.logging.set_verbosity(transformers.logging.CRITICAL)
torch.set_default_dtype(torch.float64)

# Buffers and heads that well-known checkpoints carry and no model needs.
EXTRAS = {
    "bert": {
        "bert.embeddings.position_ids": torch.arange(32)[None],
        "bert.pooler.dense.weight": torch.zeros(24, 24),
        "bert.pooler.dense.bias": torch.zeros(24),
        "cls.seq_relationship.weight": torch.zeros(2, 24),
        "cls.seq_relationship.bias": torch.zeros(2),
    },
    "gpt2": {
        "transformer.h.0.attn.bias": torch.ones(1, 1, 32, 32, dtype=torch.bool).tril(),
        "transformer.h.0.attn.masked_bias": torch.tensor(-10000.0),
    },
    "llama-linear": {"model.layers.0.self_attn.rotary_emb.inv_freq": torch.ones(4)},
}


def build(name, seed):
    """A model of the package in float64 whose weights are numbers of the type it is stored in."""
    prefix, head, settings, dtype = CASES[name]
    config = getattr(transformers, prefix + "Config")(**settings)
    config._attn_implementation = "eager"
    model = getattr(transformers, prefix + head)(config).eval()
    random = np.random.default_rng(seed)
    with torch.no_grad():
        for path, parameter in sorted(model.named_parameters()):
            if parameter.requires_grad:
                values = values_for(path, tuple(parameter.shape), random)
                if prefix.startswith("Gemma") and is_norm(path):
                    values = values - 1  # Gemma multiplies by 1 + w
                values = torch.from_numpy(values)
                parameter.copy_(values.to(getattr(torch, dtype)))
        for path, buffer in model.named_buffers():
            if path == "final_logits_bias":
                buffer.copy_(torch.from_numpy(random.normal(0, 0.5, tuple(buffer.shape))))
    return model.double()


def is_norm(path):
    return "norm" in path.lower() or ".ln_" in path


def values_for(path, dims, random):
    """Numbers that keep activations near 1 and attention far from uniform."""
    noise = random.normal(0, 1, dims)
    if is_norm(path) and path.endswith("weight"):
        return 1 + 0.2 * noise
    if path.endswith("bias"):
        return 0.2 * noise
    is_table = any(part in path for part in ("embed_tokens", "embeddings", "shared", "wte", "wpe"))
    if path in ("model.embed_tokens.weight", "model.shared.weight"):
        return 0.3 * noise  # Gemma and Marian multiply it
    if is_table or "relative_attention_bias" in path:
        return 0.5 * noise
    fan_in = dims[0] if ".c_" in path else int(np.prod(dims[1:]))
    # What goes into the stream is larger, lest the token that came is always the next one.
    into_stream = re.search(r"(o_proj|out_proj|down_proj|c_proj|fc2|\.wo|Attention\.o)\.", path)
    return (1.8 if into_stream else 1.2) / np.sqrt(fan_in) * noise


class Observed:
    """What modules read and made in one forward pass, in float64."""

    def __init__(self, model, paths):
        self.inputs, self.outputs, self._handles = {}, {}, []
        modules = dict(model.named_modules())
        for path in paths:
            if path in modules:
                self._handles.append(modules[path].register_forward_hook(self._hook(path)))

    def _hook(self, path):
        def hook(_, inputs, output):
            if isinstance(output, torch.Tensor) and inputs and isinstance(inputs[0], torch.Tensor):
                self.inputs[path] = inputs[0].double().numpy()
                self.outputs[path] = output.double().numpy()

        return hook

    def run(self, model, inputs):
        names = {
            "ids": "input_ids",
            "type_ids": "token_type_ids",
            "decoder_ids": "decoder_input_ids",
            "pixels": "pixel_values",
        }
        tensors = {names[name]: torch.from_numpy(values)[None] for name, values in inputs.items()}
        tensors = {
            name: values.double() if values.is_floating_point() else values.long()
            for name, values in tensors.items()
        }
        settings = dict(output_hidden_states=True, output_attentions=True)
        if "use_cache" in inspect.signature(model.forward).parameters:
            settings["use_cache"] = False
        with torch.no_grad():
            result = model(**tensors, **settings)
        for handle in self._handles:
            handle.remove()
        return result


def generated(model, ids, count):
    """What the most likely next token, again and again, makes of a prompt."""
    with torch.no_grad():
        tokens = model.generate(
            torch.from_numpy(ids)[None].long(),
            do_sample=False,
            num_beams=1,
            use_cache=False,
            synced_gpus=False,
            max_new_tokens=count + 2,  # the first and the last may be forced
        )
    return tokens[0].numpy()
