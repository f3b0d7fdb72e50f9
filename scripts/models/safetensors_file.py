"""Writes a safetensors file whose tensors lie in the order given.

The official package sorts tensors by type and name; ours lie in the order in which they are used, so
that a reader can start with what has arrived. Format: 8 bytes header length, JSON, data without holes.
"""
import json
import struct

DTYPES = {"int8": "I8", "int32": "I32", "float32": "F32"}
ALIGNMENT = 64


def write(path, tensors, metadata):
    """tensors: list of (name, C-contiguous little-endian array)."""
    header = {"__metadata__": metadata}
    offset = 0
    for name, array in tensors:
        if name in header:
            raise ValueError(f"tensors: the name {name} comes twice")
        end = offset + array.nbytes
        header[name] = {
            "dtype": DTYPES[array.dtype.name],
            "shape": list(array.shape),
            "data_offsets": [offset, end],
        }
        offset = end
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-(8 + len(text)) % ALIGNMENT)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)))
        file.write(text)
        for _, array in tensors:
            file.write(array.tobytes())
