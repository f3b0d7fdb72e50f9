"""From a checkpoint of Hugging Face to a model in NumPy float64, for every architecture.

Each family is a table from module paths of the `transformers` package to ours, and a function from
config.json to a model with `run(inputs, keep)`. This is written without a look at the mappings of
web/module/src/model/architectures, which it tests.
"""
import math
import re

import numpy as np

from blocks_numpy import ACTIVATIONS, RelativeBias, Spec, Stack, linear, norm, rotary_frequencies

ACTIVATION_NAMES = {
    "gelu": "gelu",
    "gelu_new": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "relu": "relu",
    "silu": "silu",
    "swish": "silu",
}


def renamed(stored, table):
    """The weights by our module paths; {i} in a table's path is the number of a block."""
    rules = [
        (re.compile(re.escape(theirs).replace(r"\{i\}", r"(\d+)") + r"(\.weight|\.bias|)$"), ours)
        for theirs, ours in table.items()
    ]
    weights = {}
    for name, values in stored.items():
        for pattern, ours in rules:
            match = pattern.match(name)
            if match:
                block, kind = match.group(1, 2) if "{i}" in ours else ("", match.group(1))
                weights[ours.replace("{i}", block) + kind] = values.astype(np.float64)
                break
    return weights


class Encoder:
    """BERT and its kin: norm behind each part, embeddings normed, perhaps a masked-LM head."""

    def __init__(self, weights, spec, first_position=0, has_head=True):
        self.weights, self.spec = weights, spec
        self.first_position, self.has_head = first_position, has_head

    def run(self, inputs, keep):
        ids = inputs["ids"]
        tables = {
            "hook_embed": ("token", ids),
            "hook_pos_embed": ("position", self.first_position + np.arange(len(ids))),
        }
        if "embed.token_type.weight" in self.weights:
            type_ids = inputs.get("type_ids", np.zeros(len(ids), np.int32))
            tables["hook_token_type_embed"] = ("token_type", type_ids)
        x = 0
        for hook, (table, rows) in tables.items():
            values = self.weights[f"embed.{table}.weight"][rows]
            keep(f"embed.{hook}", values)
            x = x + values
        x = norm(self.weights, "embed.ln", "embed.ln", x, self.spec, keep)
        if "embed.project.weight" in self.weights:
            x = linear(self.weights, "embed.project", x)
        keep("hook_full_embed", x)
        x = Stack(self.weights, self.spec).run(x, keep)
        return self._masked_lm(x, keep) if self.has_head else x

    def _masked_lm(self, x, keep):
        x = ACTIVATIONS[self.spec.activation](linear(self.weights, "mlm_head", x))
        x = norm(self.weights, "mlm_head.ln", "mlm_head.ln", x, self.spec, keep)
        return unembed(self.weights, x, keep)


class Decoder:
    """GPT-2 and Llama with their kin: a causal stack, a norm at its end, logits."""

    def __init__(self, weights, spec, embedding_scale=1.0, logits_softcap=0.0):
        self.weights, self.spec = weights, spec
        self.embedding_scale, self.logits_softcap = embedding_scale, logits_softcap

    def run(self, inputs, keep):
        ids = inputs["ids"]
        x = self.weights["embed.token.weight"][ids] * self.embedding_scale
        keep("hook_embed", x)
        if "embed.position.weight" in self.weights:
            positions = self.weights["embed.position.weight"][: len(ids)]
            keep("hook_pos_embed", positions)
            x = x + positions
        x = Stack(self.weights, self.spec).run(x, keep)
        x = norm(self.weights, "ln_final", "ln_final", x, self.spec, keep)
        return unembed(self.weights, x, keep, self.logits_softcap)


class Vision:
    """ViT and DeiT: patches and learned tokens before them; the first token's logits."""

    def __init__(self, weights, spec, patch):
        self.weights, self.spec, self.patch = weights, spec, patch

    def run(self, inputs, keep):
        channels, height, width = inputs["pixels"].shape
        size = self.patch
        patches = inputs["pixels"].reshape(channels, height // size, size, width // size, size)
        patches = patches.transpose(1, 3, 0, 2, 4).reshape(-1, channels * size * size)
        kernel = self.weights["embed.patch.weight"].reshape(-1, channels * size * size)
        x = patches @ kernel.T + self.weights["embed.patch.bias"]
        keep("hook_embed", x)
        first = [name for name in ("embed.cls", "embed.distillation") if name in self.weights]
        x = np.concatenate([*(self.weights[name][0] for name in first), x])
        positions = self.weights["embed.position"][0]
        keep("hook_pos_embed", positions)
        x = x + positions
        keep("hook_full_embed", x)
        x = Stack(self.weights, self.spec).run(x, keep)
        x = norm(self.weights, "ln_final", "ln_final", x, self.spec, keep)
        keep("head.hook_in", x[0])
        logits = linear(self.weights, "classifier", x[0])
        keep("head.hook_out", logits)
        return logits


class EncoderDecoder:
    """Marian, BART and T5: the decoder's blocks read what the encoder made."""

    def __init__(self, weights, specs, embedding_scale=1.0, logits_scale=1.0, first_position=0):
        self.weights, self.specs = weights, specs
        self.embedding_scale, self.logits_scale = embedding_scale, logits_scale
        self.first_position = first_position

    def run(self, inputs, keep):
        memory = self._side("encoder", inputs["ids"], keep)
        x = self._side("decoder", inputs["decoder_ids"], keep, memory)
        return unembed(self.weights, x * self.logits_scale, keep)

    def _side(self, side, ids, keep_any, memory=None):
        spec = self.specs[side]

        def keep(name, values):
            keep_any(f"{side}.{name}", values)

        x = self.weights["embed.token.weight"][ids] * self.embedding_scale
        keep("hook_embed", x)
        if f"{side}.embed.position.weight" in self.weights:
            first = self.first_position
            positions = self.weights[f"{side}.embed.position.weight"][first : first + len(ids)]
            keep("hook_pos_embed", positions)
            x = x + positions
        if f"{side}.embed.ln.weight" in self.weights:
            x = norm(self.weights, f"{side}.embed.ln", "ln", x, spec, keep)
        keep("hook_full_embed", x)
        x = Stack(self.weights, spec, side).run(x, keep_any, memory)
        final = f"{side}_final_ln"
        present = final + ".weight" in self.weights
        return norm(self.weights, final, final, x, spec, keep_any) if present else x


def unembed(weights, x, keep, softcap=0.0):
    """Logits; the head's matrix is the token table unless there is one of its own."""
    keep("unembed.hook_in", x)
    matrix = weights.get("unembed.weight", weights["embed.token.weight"])
    logits = x @ matrix.T + weights.get("unembed.bias", 0)
    if softcap > 0:
        logits = softcap * np.tanh(logits / softcap)
    keep("unembed.hook_out", logits)
    return logits


# Tables: a module of the package -> ours.

MASKED_LM = {
    "{root}embeddings.word_embeddings": "embed.token",
    "{root}embeddings.position_embeddings": "embed.position",
    "{root}embeddings.token_type_embeddings": "embed.token_type",
    "{root}embeddings.LayerNorm": "embed.ln",
    "{root}embeddings_project": "embed.project",
    "{root}encoder.layer.{i}.attention.self.query": "blocks.{i}.attn.query",
    "{root}encoder.layer.{i}.attention.self.key": "blocks.{i}.attn.key",
    "{root}encoder.layer.{i}.attention.self.value": "blocks.{i}.attn.value",
    "{root}encoder.layer.{i}.attention.output.dense": "blocks.{i}.attn.output",
    "{root}encoder.layer.{i}.attention.output.LayerNorm": "blocks.{i}.ln1",
    "{root}encoder.layer.{i}.intermediate.dense": "blocks.{i}.mlp.in",
    "{root}encoder.layer.{i}.output.dense": "blocks.{i}.mlp.out",
    "{root}encoder.layer.{i}.output.LayerNorm": "blocks.{i}.ln2",
}


def rooted(table, root):
    return {name.replace("{root}", root): ours for name, ours in table.items()}


BERT = rooted(MASKED_LM, "bert.") | {
    "cls.predictions.transform.dense": "mlm_head",
    "cls.predictions.transform.LayerNorm": "mlm_head.ln",
    "cls.predictions": "unembed",
    "cls.predictions.decoder": "unembed",
}
ROBERTA = rooted(MASKED_LM, "roberta.") | {
    "lm_head.dense": "mlm_head",
    "lm_head.layer_norm": "mlm_head.ln",
    "lm_head": "unembed",
    "lm_head.decoder": "unembed",
}
ELECTRA = rooted(MASKED_LM, "electra.") | {
    "generator_predictions.dense": "mlm_head",
    "generator_predictions.LayerNorm": "mlm_head.ln",
    "generator_lm_head": "unembed",
}
DISTILBERT = {
    "distilbert.embeddings.word_embeddings": "embed.token",
    "distilbert.embeddings.position_embeddings": "embed.position",
    "distilbert.embeddings.LayerNorm": "embed.ln",
    "distilbert.transformer.layer.{i}.attention.q_lin": "blocks.{i}.attn.query",
    "distilbert.transformer.layer.{i}.attention.k_lin": "blocks.{i}.attn.key",
    "distilbert.transformer.layer.{i}.attention.v_lin": "blocks.{i}.attn.value",
    "distilbert.transformer.layer.{i}.attention.out_lin": "blocks.{i}.attn.output",
    "distilbert.transformer.layer.{i}.sa_layer_norm": "blocks.{i}.ln1",
    "distilbert.transformer.layer.{i}.ffn.lin1": "blocks.{i}.mlp.in",
    "distilbert.transformer.layer.{i}.ffn.lin2": "blocks.{i}.mlp.out",
    "distilbert.transformer.layer.{i}.output_layer_norm": "blocks.{i}.ln2",
    "vocab_transform": "mlm_head",
    "vocab_layer_norm": "mlm_head.ln",
    "vocab_projector": "unembed",
}
GPT2 = {
    "transformer.wte": "embed.token",
    "transformer.wpe": "embed.position",
    "transformer.h.{i}.ln_1": "blocks.{i}.ln1",
    "transformer.h.{i}.attn.c_attn": "blocks.{i}.attn.joined",
    "transformer.h.{i}.attn.c_proj": "blocks.{i}.attn.output",
    "transformer.h.{i}.ln_2": "blocks.{i}.ln2",
    "transformer.h.{i}.mlp.c_fc": "blocks.{i}.mlp.in",
    "transformer.h.{i}.mlp.c_proj": "blocks.{i}.mlp.out",
    "transformer.ln_f": "ln_final",
    "lm_head": "unembed",
}
LLAMA = {
    "model.embed_tokens": "embed.token",
    "model.layers.{i}.input_layernorm": "blocks.{i}.ln1",
    "model.layers.{i}.self_attn.q_proj": "blocks.{i}.attn.query",
    "model.layers.{i}.self_attn.k_proj": "blocks.{i}.attn.key",
    "model.layers.{i}.self_attn.v_proj": "blocks.{i}.attn.value",
    "model.layers.{i}.self_attn.o_proj": "blocks.{i}.attn.output",
    "model.layers.{i}.post_attention_layernorm": "blocks.{i}.ln2",
    "model.layers.{i}.mlp.gate_proj": "blocks.{i}.mlp.gate",
    "model.layers.{i}.mlp.up_proj": "blocks.{i}.mlp.in",
    "model.layers.{i}.mlp.down_proj": "blocks.{i}.mlp.out",
    "model.norm": "ln_final",
    "lm_head": "unembed",
}
GEMMA2 = LLAMA | {
    "model.layers.{i}.post_attention_layernorm": "blocks.{i}.ln1_post",
    "model.layers.{i}.pre_feedforward_layernorm": "blocks.{i}.ln2",
    "model.layers.{i}.post_feedforward_layernorm": "blocks.{i}.ln2_post",
}
VISION = {
    "{root}embeddings.patch_embeddings.projection": "embed.patch",
    "{root}embeddings.cls_token": "embed.cls",
    "{root}embeddings.distillation_token": "embed.distillation",
    "{root}embeddings.position_embeddings": "embed.position",
    "{root}encoder.layer.{i}.layernorm_before": "blocks.{i}.ln1",
    "{root}encoder.layer.{i}.attention.attention.query": "blocks.{i}.attn.query",
    "{root}encoder.layer.{i}.attention.attention.key": "blocks.{i}.attn.key",
    "{root}encoder.layer.{i}.attention.attention.value": "blocks.{i}.attn.value",
    "{root}encoder.layer.{i}.attention.output.dense": "blocks.{i}.attn.output",
    "{root}encoder.layer.{i}.layernorm_after": "blocks.{i}.ln2",
    "{root}encoder.layer.{i}.intermediate.dense": "blocks.{i}.mlp.in",
    "{root}encoder.layer.{i}.output.dense": "blocks.{i}.mlp.out",
    "{root}layernorm": "ln_final",
    "classifier": "classifier",
}


def bart_side(side, parts):
    layer = f"model.{side}.layers.{{i}}."
    return {
        f"model.{side}.embed_positions": f"{side}.embed.position",
        f"model.{side}.layernorm_embedding": f"{side}.embed.ln",
    } | {layer + theirs: f"{side}.{{i}}.{ours}" for theirs, ours in parts.items()}


def attention_parts(theirs, ours):
    parts = {"q_proj": "query", "k_proj": "key", "v_proj": "value", "out_proj": "output"}
    return {f"{theirs}.{part}": f"{ours}.{own}" for part, own in parts.items()}


BART_BLOCK = attention_parts("self_attn", "attn") | {
    "self_attn_layer_norm": "ln1",
    "fc1": "mlp.in",
    "fc2": "mlp.out",
}
BART = (
    {"model.shared": "embed.token", "lm_head": "unembed", "final_logits_bias": "unembed.final"}
    | bart_side("encoder", BART_BLOCK | {"final_layer_norm": "ln2"})
    | bart_side(
        "decoder",
        BART_BLOCK
        | attention_parts("encoder_attn", "cross_attn")
        | {"encoder_attn_layer_norm": "ln2", "final_layer_norm": "ln3"},
    )
)


def t5_part(side, number, theirs, ours):
    return {f"{side}.block.{{i}}.layer.{number}.{theirs}": f"{side}.{{i}}.{ours}"}


def t5_side(side):
    table = {
        f"{side}.block.0.layer.0.SelfAttention.relative_attention_bias": f"{side}.relative",
        f"{side}.final_layer_norm": f"{side}_final_ln",
    }
    attentions = ["SelfAttention"] + ["EncDecAttention"] * (side == "decoder")
    for number, theirs in enumerate(attentions):
        table |= t5_part(side, number, "layer_norm", f"ln{number + 1}")
        ours = "cross_attn" if number else "attn"
        for letter, part in {"q": "query", "k": "key", "v": "value", "o": "output"}.items():
            table |= t5_part(side, number, f"{theirs}.{letter}", f"{ours}.{part}")
    last = len(attentions)
    table |= t5_part(side, last, "layer_norm", f"ln{last + 1}")
    dense = {"wi": "mlp.in", "wi_0": "mlp.gate", "wi_1": "mlp.in", "wo": "mlp.out"}
    for theirs, ours in dense.items():
        table |= t5_part(side, last, f"DenseReluDense.{theirs}", ours)
    return table


T5 = {"shared": "embed.token", "lm_head": "unembed"} | t5_side("encoder") | t5_side("decoder")

TABLES = {
    "bert": BERT,
    "roberta": ROBERTA,
    "electra": ELECTRA,
    "distilbert": DISTILBERT,
    "gpt2": GPT2,
    "llama": LLAMA,
    "mistral": LLAMA,
    "qwen2": LLAMA,
    "gemma": LLAMA,
    "gemma2": GEMMA2,
    "vit": rooted(VISION, "vit."),
    "deit": rooted(VISION, "deit."),
    "marian": BART,
    "bart": BART,
    "t5": T5,
}


# From config.json to a model.


def bert_like(weights, config):
    heads = config["num_attention_heads"]
    spec = Spec(
        layers=config["num_hidden_layers"],
        heads=heads,
        kv_heads=heads,
        head_dim=config["hidden_size"] // heads,
        activation=ACTIVATION_NAMES[config["hidden_act"]],
        epsilon=config["layer_norm_eps"],
        placement="post",
    )
    first = config["pad_token_id"] + 1 if config["model_type"] == "roberta" else 0
    return Encoder(weights, spec, first)


def distilbert(weights, config):
    heads = config["n_heads"]
    spec = Spec(
        layers=config["n_layers"],
        heads=heads,
        kv_heads=heads,
        head_dim=config["dim"] // heads,
        activation=ACTIVATION_NAMES[config["activation"]],
        epsilon=1e-12,
        placement="post",
    )
    return Encoder(weights, spec)


def gpt2(weights, config):
    heads = config["n_head"]
    for name in [name for name in weights if ".attn.joined." in name]:
        parts = np.split(weights.pop(name), 3, axis=-1)
        for part, values in zip(("query", "key", "value"), parts):
            weights[name.replace("joined", part)] = values
    for name, values in weights.items():
        if re.search(r"\.(attn|mlp)\..*weight$", name):
            weights[name] = values.T  # Conv1D holds [in, out]
    spec = Spec(
        layers=config["n_layer"],
        heads=heads,
        kv_heads=heads,
        head_dim=config["n_embd"] // heads,
        activation=ACTIVATION_NAMES[config["activation_function"]],
        epsilon=config["layer_norm_epsilon"],
        causal=True,
    )
    return Decoder(weights, spec)


def llama_like(weights, config):
    heads = config["num_attention_heads"]
    head_dim = config.get("head_dim") or config["hidden_size"] // heads
    layers = config["num_hidden_layers"]
    kind = config["model_type"]
    is_gemma, is_gemma2 = kind.startswith("gemma"), kind == "gemma2"
    activation = "gelu_new" if is_gemma else config["hidden_act"]
    window = config.get("sliding_window") if config.get("use_sliding_window", True) else None
    windowed = {
        "gemma2": lambda layer: layer % 2 == 0,
        "qwen2": lambda layer: layer >= config["max_window_layers"],
    }.get(kind, lambda layer: True)
    spec = Spec(
        layers=layers,
        heads=heads,
        kv_heads=config["num_key_value_heads"],
        head_dim=head_dim,
        activation=ACTIVATION_NAMES[activation],
        epsilon=config["rms_norm_eps"],
        norm="rms",
        placement="sandwich" if is_gemma2 else "pre",
        scale=config["query_pre_attn_scalar"] ** -0.5 if is_gemma2 else None,
        causal=True,
        softcap=config.get("attn_logit_softcapping") or 0.0,
        windows=[window if windowed(layer) else None for layer in range(layers)],
        frequencies=rotary_frequencies(
            head_dim, config["rope_theta"], config.get("rope_scaling")
        ),
    )
    if not is_gemma:
        return Decoder(weights, spec)
    for name in weights:
        if re.search(r"\bln[^.]*\.weight$", name):
            weights[name] = 1 + weights[name]
    scale = math.sqrt(config["hidden_size"])
    return Decoder(weights, spec, scale, config.get("final_logit_softcapping") or 0.0)


def vision(weights, config):
    heads = config["num_attention_heads"]
    spec = Spec(
        layers=config["num_hidden_layers"],
        heads=heads,
        kv_heads=heads,
        head_dim=config["hidden_size"] // heads,
        activation=ACTIVATION_NAMES[config["hidden_act"]],
        epsilon=config["layer_norm_eps"],
    )
    return Vision(weights, spec, config["patch_size"])


def sinusoids(positions, width):
    """Vaswani et al. 2017, sines in the first half and cosines in the second."""
    angles = np.arange(positions)[:, None] / 10000 ** (np.arange(0, width, 2) / width)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


def bart_like(weights, config):
    def side(name, **more):
        heads = config[f"{name}_attention_heads"]
        return Spec(
            layers=config[f"{name}_layers"],
            heads=heads,
            kv_heads=heads,
            head_dim=config["d_model"] // heads,
            activation=ACTIVATION_NAMES[config["activation_function"]],
            epsilon=1e-5,
            placement="post",
            **more,
        )

    weights["unembed.bias"] = weights.pop("unembed.final")
    scale = math.sqrt(config["d_model"]) if config["scale_embedding"] else 1.0
    first = 2
    if config["model_type"] == "marian":
        first, table = 0, sinusoids(config["max_position_embeddings"], config["d_model"])
        weights |= {f"{name}.embed.position.weight": table for name in ("encoder", "decoder")}
    specs = {"encoder": side("encoder"), "decoder": side("decoder", causal=True)}
    return EncoderDecoder(weights, specs, scale, 1.0, first)


def t5(weights, config):
    projection = config["feed_forward_proj"].removeprefix("gated-")
    # "gated-gelu" has always meant the approximation.
    activation = "gelu_tanh" if projection == "gelu" else ACTIVATION_NAMES[projection]

    def side(name, layers):
        bias = RelativeBias(
            weights[f"{name}.relative.weight"],
            config["relative_attention_max_distance"],
            both_ways=name == "encoder",
        )
        return Spec(
            layers=layers,
            heads=config["num_heads"],
            kv_heads=config["num_heads"],
            head_dim=config["d_kv"],
            activation=activation,
            epsilon=config["layer_norm_epsilon"],
            norm="rms",
            scale=1.0,
            causal=name == "decoder",
            relative=bias,
        )

    tied = config.get("tie_word_embeddings", True)
    logits_scale = config["d_model"] ** -0.5 if tied else 1.0
    specs = {
        "encoder": side("encoder", config["num_layers"]),
        "decoder": side("decoder", config["num_decoder_layers"]),
    }
    return EncoderDecoder(weights, specs, 1.0, logits_scale)


MODELS = {
    "bert": bert_like,
    "roberta": bert_like,
    "electra": bert_like,
    "distilbert": distilbert,
    "gpt2": gpt2,
    "llama": llama_like,
    "mistral": llama_like,
    "qwen2": llama_like,
    "gemma": llama_like,
    "gemma2": llama_like,
    "vit": vision,
    "deit": vision,
    "marian": bart_like,
    "bart": bart_like,
    "t5": t5,
}


def model_of(stored, config):
    kind = config["model_type"]
    return MODELS[kind](renamed(stored, TABLES[kind]), config)
