"""Decoding with the translator: the likeliest token each time, or the best of several beams."""
import jax
import numpy as np

import pairs
import translator

LONGEST = 40
# Sentences that are decoded together.
TOGETHER = 50

next_token = jax.jit(translator.next_token, static_argnames=("sizes", "pad"))


def translations(p, sizes, tokenizer, sentences, config, width=1):
    """The translation of each sentence: greedy with a width of 1, else the best of so many beams."""
    ids = [encoding.ids for encoding in tokenizer.encode_batch(list(sentences))]
    # Of like lengths, so that little is computed for padding.
    order = sorted(range(len(ids)), key=lambda index: len(ids[index]))
    best = {}
    for start in range(0, len(order), TOGETHER):
        chosen = order[start : start + TOGETHER]
        found = search(p, sizes, [ids[index] for index in chosen], config, width)
        best.update(zip(chosen, found))
    return tokenizer.decode_batch([best[index] for index in range(len(ids))], skip_special_tokens=True)


def search(p, sizes, sources, config, width):
    """For each list of ids the list that beam search (Wu et al. 2016) finds, by the rule of the page:
    of all continuations the `width` most probable are kept, finished ones wait aside, and at the end
    the mean log-probability of a token decides."""
    pad, end = config["pad_token_id"], config["eos_token_id"]
    english = np.repeat(pairs.padded(sources, max(map(len, sources)), pad), width, axis=0)
    begun = np.full((len(sources), width, LONGEST + 1), pad, np.int32)
    sums = np.full((len(sources), width), -np.inf)
    sums[:, 0] = 0
    found = [[] for _ in sources]
    for place in range(LONGEST):
        each = np.array(next_token(p, sizes, english, begun.reshape(-1, LONGEST + 1), place, pad))
        each[:, pad] = -np.inf  # it only begins a translation
        grown = sums[..., None] + each.reshape(*sums.shape, -1)
        before = begun.copy()
        for row, of_row in enumerate(grown):
            best = np.argsort(-of_row, axis=None)[:width]
            beams, tokens = np.unravel_index(best, of_row.shape)
            begun[row] = before[row, beams]
            begun[row, :, place + 1] = tokens
            sums[row] = of_row[beams, tokens]
            for beam in np.flatnonzero((tokens == end) & np.isfinite(sums[row])):
                text = begun[row, beam, 1 : place + 1].tolist()
                found[row].append((sums[row, beam] / (place + 1), text))
                sums[row, beam] = -np.inf
            found[row] = sorted(found[row], reverse=True)[:width]
            # Log-probabilities only fall; at best the text grows to its full length for nothing.
            if len(found[row]) == width and found[row][-1][0] >= sums[row].max() / LONGEST:
                sums[row] = -np.inf
        if not np.isfinite(sums).any():
            break
    unfinished = [row[0, 1:].tolist() for row in begun]
    return [of_row[0][1] if of_row else text for of_row, text in zip(found, unfinished)]
