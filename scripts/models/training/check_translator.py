"""Measures web/models/translate-en-fr and writes the figures into its card, README.md.

    python check_translator.py PATH/eng-fra.tsv.gz [--work FOLDER]

Exact match and loss on held-out sentences, of the shipped int8 weights and of the trained ones beside
them; exits with 1 where the exact match is below what the card promises.
"""
import argparse
import sys
from pathlib import Path

import jax.numpy as jnp
import numpy as np
from tokenizers import Tokenizer

import pairs
import translator
from corpus import MODELS, ROOT, WORK, read_json
from decoding import translations
from loop import restore
from make_translator import NAME
from shipped import load, loss_table, write_card
from train_translator import SEED, SIZES

LEAST_EXACT = 0.33
# As many as the page offers.
BEAMS = 4
# Everyday sentences, each with the answers that a teacher would accept; ours, as those below.
OWN = ROOT / "web/app/src/data/translations.tsv"
# For the card's table of examples.
EXAMPLES = (
    "I love this little house.",
    "Where did you buy that book?",
    "My brother does not want to eat fish.",
    "She told me that she was tired.",
    "If it rains tomorrow, we will stay at home.",
    "The committee postponed its decision on the subsidy.",
)


def exact(p, tokenizer, test, config, width):
    """How many of `test` come out exactly as one of their references."""
    got = translations(p, SIZES, tokenizer, [english for english, _ in test], config, width)
    return sum(text in references for text, (_, references) in zip(got, test))


def own_sentences():
    """(English, [French, ...]) of each line of OWN."""
    lines = OWN.read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return [(english, french) for english, *french in rows]


def held_out_loss(p, tokenizer, sentences, pad):
    """Nats a token over the first reference of each sentence."""
    data = pairs.encoded(tokenizer, [(english, french[0]) for english, french in sentences])
    widths = [max(len(pair[side]) for pair in data) for side in (0, 1)]
    tables = [pairs.padded([pair[side] for pair in data], widths[side], pad) for side in (0, 1)]
    return float(translator.loss(p, SIZES, *tables, pad))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("--work", type=Path, default=WORK / NAME)
    options = parser.parse_args()
    split = pairs.read(options.data, SEED)
    own = own_sentences()
    shipped, config = load(NAME)
    tokenizer = Tokenizer.from_file(str(MODELS / NAME / "tokenizer.json"))
    training = read_json(options.work / "training.json")
    trained = restore(options.work / "checkpoint.npz")[0]
    both = {"shipped": {n: jnp.asarray(v, jnp.float32) for n, v in shipped.items()}, "trained": trained}
    figures = {
        **vars(SIZES),
        "d_head": SIZES.d_model // SIZES.heads,
        "dropout": training["optimiser"]["dropout"],
        "beams": BEAMS,
        "parameters": f"{sum(v.size for v in shipped.values()):,}",
        "bytes": f"{sum(f.stat().st_size for f in (MODELS / NAME).iterdir()) / 1e6:.1f} MB",
        "test_sentences": len(split.test),
        "own_sentences": len(own),
        "development_sentences": f"{len(split.development):,}",
        "pairs": f"{training['data']['pairs']:,}",
        "data_sha256": training["data"]["sha256"],
        "steps": f"{training['steps']:,}",
        "passes": f"{training['passes']:.1f}",
        "minutes": f"{training['minutes']:.0f}",
        "losses": loss_table(training["log"], "heldOutLoss"),
    }
    for kind, p in both.items():
        found, searched = (exact(p, tokenizer, split.test, config, width) for width in (1, BEAMS))
        found_own = exact(p, tokenizer, own, config, 1)
        loss = held_out_loss(p, tokenizer, split.development, config["pad_token_id"])
        figures |= {
            f"{kind}_exact": f"{found} ({found / len(split.test):.1%})",
            f"{kind}_searched": f"{searched} ({searched / len(split.test):.1%})",
            f"{kind}_own": f"{found_own} ({found_own / len(own):.1%})",
            f"{kind}_loss": f"{loss:.3f}",
            f"{kind}_perplexity": f"{np.exp(loss):.2f}",
        }
        share = searched / len(split.test) if kind == "shipped" else share
        print(
            f"{kind}: exact {found} of {len(split.test)}, {searched} with {BEAMS} beams, "
            f"{found_own} of {len(own)}, loss {loss:.4f}",
            flush=True,
        )
    got = translations(both["shipped"], SIZES, tokenizer, EXAMPLES, config)
    table = ["| English | what it makes of it |", "| --- | --- |"]
    figures["examples"] = "\n".join(table + [f"| {e} | {f} |" for e, f in zip(EXAMPLES, got)])
    write_card(NAME, Path(__file__).with_name("translator_card.md"), figures)
    sys.exit(share < LEAST_EXACT)


if __name__ == "__main__":
    main()
