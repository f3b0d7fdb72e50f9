"""Writes web/models/novels-lm from what train_language_model.py left in build/training.

    python make_language_model.py [--work FOLDER]
"""
import argparse
from pathlib import Path

from tokenizers import Tokenizer

from corpus import WORK
from language_model import EPSILON, ROTARY_BASE
from loop import restore
from shipped import write_folder
from train_language_model import BEGIN, END, LONGEST, SIZES

NAME = "novels-lm"


def config_of(tokenizer):
    """What Hugging Face's LlamaConfig says of this model."""
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "attention_bias": False,
        "bos_token_id": tokenizer.token_to_id(BEGIN),
        "eos_token_id": tokenizer.token_to_id(END),
        "head_dim": SIZES.d_model // SIZES.heads,
        "hidden_act": "silu",
        "hidden_size": SIZES.d_model,
        "intermediate_size": SIZES.d_mlp,
        "max_position_embeddings": LONGEST,
        "mlp_bias": False,
        "num_attention_heads": SIZES.heads,
        "num_hidden_layers": SIZES.layers,
        "num_key_value_heads": SIZES.kv_heads,
        "rms_norm_eps": EPSILON,
        "rope_theta": ROTARY_BASE,
        "tie_word_embeddings": True,
        "vocab_size": SIZES.vocabulary,
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", type=Path, default=WORK / NAME)
    work = parser.parse_args().work
    parameters, _, step, _ = restore(work / "checkpoint.npz")
    config = config_of(Tokenizer.from_file(str(work / "tokenizer.json")))
    generation = {
        "bos_token_id": config["bos_token_id"],
        "eos_token_id": config["eos_token_id"],
        "max_length": LONGEST,
    }
    folder = write_folder(NAME, work, parameters, config, generation)
    print(f"{folder.name}: {sum(f.stat().st_size for f in folder.iterdir()):,} bytes, step {step}")


if __name__ == "__main__":
    main()
