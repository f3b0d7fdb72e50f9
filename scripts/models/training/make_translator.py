"""Writes web/models/translate-en-fr from what train_translator.py left in build/training.

    python make_translator.py [--work FOLDER]
"""
import argparse
from pathlib import Path

from tokenizers import Tokenizer

from corpus import WORK
from loop import restore
from pairs import LONGEST
from shipped import write_folder
from train_translator import END, PAD, SIZES, UNKNOWN

NAME = "translate-en-fr"


def config_of(tokenizer):
    """What Hugging Face's MarianConfig says of this model."""
    pad, end = tokenizer.token_to_id(PAD), tokenizer.token_to_id(END)
    sides = {
        side: {"layers": layers, "attention_heads": SIZES.heads, "ffn_dim": SIZES.d_mlp}
        for side, layers in (("encoder", SIZES.encoder_layers), ("decoder", SIZES.decoder_layers))
    }
    return {
        "architectures": ["MarianMTModel"],
        "model_type": "marian",
        "activation_function": "relu",
        "d_model": SIZES.d_model,
        **{f"{side}_{key}": value for side, part in sides.items() for key, value in part.items()},
        "decoder_start_token_id": pad,
        "decoder_vocab_size": SIZES.vocabulary,
        "eos_token_id": end,
        "forced_eos_token_id": None,
        "is_encoder_decoder": True,
        "max_position_embeddings": 128,
        "num_hidden_layers": SIZES.encoder_layers,
        "pad_token_id": pad,
        "scale_embedding": True,
        "share_encoder_decoder_embeddings": True,
        "tie_word_embeddings": True,
        "unk_token_id": tokenizer.token_to_id(UNKNOWN),
        "vocab_size": SIZES.vocabulary,
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", type=Path, default=WORK / NAME)
    work = parser.parse_args().work
    parameters, _, step, _ = restore(work / "checkpoint.npz")
    config = config_of(Tokenizer.from_file(str(work / "tokenizer.json")))
    pad, end = config["pad_token_id"], config["eos_token_id"]
    generation = {
        "bad_words_ids": [[pad]],
        "bos_token_id": None,
        "decoder_start_token_id": pad,
        "eos_token_id": end,
        "max_length": LONGEST,
        "pad_token_id": pad,
    }
    folder = write_folder(NAME, work, parameters, config, generation)
    print(f"{folder.name}: {sum(f.stat().st_size for f in folder.iterdir()):,} bytes, step {step}")


if __name__ == "__main__":
    main()
