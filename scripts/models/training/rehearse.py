"""Trains tiny versions of both models for less than a minute, on sentences made up here.

    python rehearse.py

Exits with 1 unless the loss falls far below where it began, a run that was cut off goes on to the
same weights, and the models compute what the NumPy float64 models of tests/golden compute from the
same parameters.
"""
import itertools
import sys
import tempfile
from pathlib import Path

import jax.numpy as jnp
import numpy as np

import language_model
import loop
import novels
import pairs
import translator
from corpus import ROOT
from train_translator import END, PAD, make_tokenizer

sys.path.insert(0, str(ROOT / "tests" / "golden" / "architectures"))
from families_numpy import model_of  # noqa: E402

STEPS = 120
VOCABULARY = 160
# The loss at the end, as a share of the loss of a model that knows nothing, ln V.
LEAST_FALL = 0.5
WHO = (("my brother", "mon frère"), ("the teacher", "le professeur"), ("our neighbour", "notre voisin"))
DOES = (("reads", "lit"), ("sees", "voit"), ("buys", "achète"), ("draws", "dessine"))
WHAT = (("a house", "une maison"), ("the garden", "le jardin"), ("a book", "un livre"), ("bread", "du pain"))
TRANSLATOR = translator.Sizes(VOCABULARY, 32, 4, 1, 1, 64)
LANGUAGE_MODEL = language_model.Sizes(VOCABULARY, 32, 4, 2, 2, 48)
CYCLES = ((STEPS // 2, 1e-2), (STEPS // 2, 1e-2))
SETTINGS = {"cycles": CYCLES, "warm_up": 10, "decay": 0.01, "every": STEPS // 4}


def sentences():
    return [
        tuple(" ".join(words) + " ." for words in zip(*parts))
        for parts in itertools.product(WHO, DOES, WHAT)
    ]


def trained(name, initial, loss, batch_of):
    """The parameters at the end, having checked that the loss fell and that a cut does no harm."""
    with tempfile.TemporaryDirectory() as folder:
        whole, cut = (Path(folder) / f"{kind}.npz" for kind in ("whole", "cut"))
        options = {**SETTINGS, "evaluate": lambda p: {}}
        parameters, log = loop.train(initial, loss, batch_of, checkpoint=whole, **options)
        last = float(loss(parameters, batch_of(STEPS)))
        if not last < LEAST_FALL * np.log(VOCABULARY):
            sys.exit(f"{name}: the loss fell to {last:.3f} only")
        stop_at = STEPS // 2

        def until_cut(step):
            if step == stop_at:
                raise KeyboardInterrupt
            return batch_of(step)

        try:
            loop.train(initial, loss, until_cut, checkpoint=cut, **options)
        except KeyboardInterrupt:
            pass
        again, _ = loop.train(initial, loss, batch_of, checkpoint=cut, **options)
        for key, value in parameters.items():
            if not np.array_equal(value, again[key]):
                sys.exit(f"{name}: {key} differs after a cut")
    print(f"{name}: loss {np.log(VOCABULARY):.3f} -> {last:.3f}")
    return parameters


def same(name, got, parameters, config, inputs):
    """Holds logits against the NumPy model that reads the parameters as a checkpoint's."""
    stored = {key: np.asarray(value, np.float64) for key, value in parameters.items()}
    expected = model_of(stored, config).run(inputs, lambda *_: None)
    difference = np.abs(np.asarray(got, np.float64) - expected).max()
    if not difference < 1e-3:
        sys.exit(f"{name}: logits differ by {difference} from the independent model")
    print(f"{name}: logits as the independent model's within {difference:.1e}")


def rehearse_translator(tokenizer, data):
    pad = tokenizer.token_to_id(PAD)
    tables = [pairs.padded([pair[side] for pair in data], 16, pad) for side in (0, 1)]

    def batch_of(step):
        chosen = np.random.default_rng(step).integers(0, len(data), 16)
        return tuple(table[chosen] for table in tables)

    p = trained(
        "translator",
        translator.initial(TRANSLATOR, 1),
        lambda p, batch: translator.loss(p, TRANSLATOR, *batch, pad),
        batch_of,
    )
    english, french = data[7]
    begun = np.array([pad, *french[:-1]])
    got = translator.logits(p, TRANSLATOR, jnp.array([english]), jnp.array([begun]), pad)[0]
    config = {
        "model_type": "marian",
        "d_model": 32,
        "encoder_attention_heads": 4,
        "decoder_attention_heads": 4,
        "encoder_layers": 1,
        "decoder_layers": 1,
        "activation_function": "relu",
        "scale_embedding": True,
        "max_position_embeddings": 32,
    }
    same("translator", got, p, config, {"ids": np.array(english), "decoder_ids": begun})


def rehearse_language_model(tokenizer, data):
    tokens = np.array([token for english, _ in data for token in english])
    begin = tokenizer.token_to_id(END)

    def batch_of(step):
        return novels.windows(tokens, 8, 24, begin, np.random.default_rng(step))

    p = trained(
        "language model",
        language_model.initial(LANGUAGE_MODEL, 1),
        lambda p, rows: language_model.loss(p, LANGUAGE_MODEL, rows),
        batch_of,
    )
    ids = batch_of(0)[0, :-1]
    got = language_model.logits(p, LANGUAGE_MODEL, jnp.array([ids]))[0]
    config = {
        "model_type": "llama",
        "hidden_size": 32,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "num_hidden_layers": 2,
        "hidden_act": "silu",
        "rms_norm_eps": language_model.EPSILON,
        "rope_theta": language_model.ROTARY_BASE,
    }
    same("language model", got, p, config, {"ids": ids})


def main():
    tokenizer = make_tokenizer((s for pair in sentences() for s in pair), VOCABULARY)
    data = pairs.encoded(tokenizer, sentences())
    rehearse_translator(tokenizer, data)
    rehearse_language_model(tokenizer, data)


if __name__ == "__main__":
    main()
