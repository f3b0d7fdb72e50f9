"""Where training data and results lie, and how they are identified."""
import hashlib
import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
MODELS = ROOT / "web" / "models"
# Checkpoints and logs; not committed.
WORK = ROOT / "build" / "training"


def sha256(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def read_json(path):
    return json.loads(Path(path).read_text(encoding="utf-8"))


def write_json(path, value):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(value, indent=2, ensure_ascii=False) + "\n"
    Path(path).write_text(text, encoding="utf-8")
