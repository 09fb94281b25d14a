"""Learns a net that reads answers, with PyTorch (Debian's python3-torch): nets.py FOLDER SEED.

FOLDER holds what packages/testkit/src/reading/Nets.ts wrote: how.json, and the texts as numbers. The net's parts are written to
SEED.parts as 32-bit floats, in the order of NET_SIZES. The same numbers, seed and version of PyTorch give the same net.
"""

import json
import sys
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

FOLDER = Path(sys.argv[1])
SEED = int(sys.argv[2])
HOW = json.loads((FOLDER / "how.json").read_text())
EDGE = HOW["edge"]
BATCHES_SORTED = 50


def numbers(name: str) -> np.ndarray:
    return np.fromfile(FOLDER / f"{name}.int32", dtype=np.int32)


# A text is words, a word is entries: text t has the words texts[t] to texts[t + 1], word w the entries words[w] to words[w + 1].
ENTRIES, WORDS, TEXTS = numbers("entries"), numbers("words"), numbers("texts")
# What each text says: the number of its intent. The first one is a request to stop, -1 some other one that nobody knows.
INTENTS = numbers("intents")
LENGTHS = np.diff(TEXTS)


class Net(nn.Module):
    """As `passOf` in packages/domain/src/outreach/meaning/model/nets.ts, in PyTorch's words."""

    def __init__(self) -> None:
        super().__init__()
        width, looks, hidden = HOW["width"], HOW["looks"], HOW["hidden"]
        self.entries = nn.EmbeddingBag(HOW["entries"], width, mode="sum")
        spread = HOW["spread"] / width**0.5
        nn.init.uniform_(self.entries.weight, -spread, spread)
        self.looks = nn.ModuleList(nn.Conv1d(width, looks, span) for span in HOW["spans"])
        self.hidden = nn.Linear(looks * len(HOW["spans"]), hidden)
        self.last = nn.Linear(hidden, 1)
        self.intents = nn.Linear(hidden, HOW["intents"])

    def forward(self, entries, begins, counts, places, is_word):
        texts, longest = is_word.shape
        words = self.entries(entries, begins) * counts[:, None]
        words = F.dropout(words, HOW["drops_words"], self.training)
        padded = words.new_zeros(texts * (longest + 2 * EDGE), words.shape[1]).index_copy(0, places, words)
        padded = padded.view(texts, longest + 2 * EDGE, -1).transpose(1, 2)
        found = []
        for span, look in zip(HOW["spans"], self.looks):
            cut = EDGE - (span - 1) // 2
            seen = look(padded[:, :, cut : longest + 2 * EDGE - cut])
            found.append(torch.tanh(seen.masked_fill(~is_word[:, None, :], -1e9).amax(2)))
        made = F.leaky_relu(self.hidden(torch.cat(found, 1)), HOW["leak"])
        made = F.dropout(made, HOW["drops"], self.training)
        return self.last(made)[:, 0], self.intents(made)

    def parts(self):
        yield self.entries.weight
        for look in self.looks:
            yield look.weight.permute(0, 2, 1)
        yield torch.cat([look.bias for look in self.looks])
        yield from (self.hidden.weight, self.hidden.bias, self.last.weight, self.last.bias)
        yield from (self.intents.weight, self.intents.bias)


def batch_of(texts: np.ndarray, random: np.random.Generator):
    """The entries of these texts; of some words only what they do is kept, so that it is learnt as well."""
    words = np.concatenate([np.arange(TEXTS[text], TEXTS[text + 1]) for text in texts])
    sizes = WORDS[words + 1] - WORDS[words]
    of = np.repeat(np.arange(len(words)), sizes)
    first = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    entries = ENTRIES[np.arange(len(of)) + np.repeat(WORDS[words] - first, sizes)]
    is_hidden = random.random(len(words)) < HOW["hides"]
    is_kept = ~(is_hidden[of] & (entries >= HOW["words_from"]))
    entries, of = entries[is_kept], of[is_kept]
    sizes = np.bincount(of, minlength=len(words))
    begins = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    lengths = LENGTHS[texts]
    longest = int(lengths.max())
    place = np.concatenate([np.arange(length) for length in lengths])
    places = np.repeat(np.arange(len(texts)) * (longest + 2 * EDGE) + EDGE, lengths) + place
    counts = (2 / np.sqrt(np.maximum(1, sizes))).astype(np.float32)
    is_word = np.arange(longest)[None, :] < lengths[:, None]
    return [torch.from_numpy(of) for of in (entries.astype(np.int64), begins, counts, places, is_word)]


def learn() -> Net:
    torch.manual_seed(SEED)
    random = np.random.default_rng(SEED)
    net = Net()
    asks = (INTENTS == 0).astype(np.float32)
    count = len(asks)
    # Both answers weigh the same.
    weights = np.where(asks > 0, count / 2 / asks.sum(), count / 2 / (count - asks.sum())).astype(np.float32)
    steps = torch.optim.Adam(net.parameters(), lr=HOW["rate"])
    size, total, done = HOW["together"], HOW["rounds"] * count, 0
    for _ in range(HOW["rounds"]):
        order = random.permutation(count)
        batches = []
        for at in range(0, count, size * BATCHES_SORTED):
            # Texts of about one length are read together.
            some = order[at : at + size * BATCHES_SORTED]
            some = some[np.argsort(LENGTHS[some], kind="stable")]
            of = [some[first : first + size] for first in range(0, len(some), size)]
            batches += [of[index] for index in random.permutation(len(of))]
        for texts in batches:
            for group in steps.param_groups:
                group["lr"] = HOW["rate"] * (1.02 - done / total)
            answer, intents = net(*batch_of(texts, random))
            wrong = F.binary_cross_entropy_with_logits(answer, torch.from_numpy(asks[texts]), reduction="none")
            loss = (wrong * torch.from_numpy(weights[texts])).mean()
            meant = torch.from_numpy(INTENTS[texts].astype(np.int64))
            loss = loss + HOW["intents_count"] * F.cross_entropy(intents, meant, ignore_index=-1)
            steps.zero_grad()
            loss.backward()
            steps.step()
            done += len(texts)
    return net


if __name__ == "__main__":
    torch.set_num_threads(1)
    with (FOLDER / f"{SEED}.parts").open("wb") as into:
        for part in learn().parts():
            into.write(part.detach().contiguous().numpy().astype(np.float32).tobytes())
