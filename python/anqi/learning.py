"""Data to learn from, network files, and the network's value in NumPy.

>>> from anqi import learning
>>> network = learning.Network.built_in()
>>> seen, layers = learning.features(["K3/1r2/4/4/4/4/4/?2g r p 3 40"])
>>> seen.shape[1] == network.inputs, network.result(seen, layers).dtype.name
(True, 'int32')
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from anqi._anqi import (
    NotationError,
    board_features,
    board_terms,
    built_in_network,
    features,
    input_images,
)

__all__ = ["Data", "Network", "features", "read_data"]

SUM_UNIT = 255
"""The unit of the first layer's sums: a unit outputs the square of its sum cut to 0-1."""
OUTPUT_UNIT = 128
"""The unit of the last layers' weights; a result of SUM_UNIT² · OUTPUT_UNIT is half of a certain win."""

_NETWORK_VERSION = 2
_NETWORK = struct.Struct("<8s4H3I")
_DATA = struct.Struct("<8sHHIQQQI")
_RECORD = np.dtype(
    [
        ("board", "u1", 16),
        ("hidden", "u1", 7),
        ("flags", "u1"),
        ("quiet", "<u2"),
        ("ply", "<u2"),
        ("value", "<i2"),
        ("result", "i1"),
        ("depth", "u1"),
        ("game", "<u4"),
    ]
)


@dataclass
class Network:
    """The numbers of a network: shape and inputs are those of its file."""

    origin: str
    """How it was made."""
    weights: str
    """The weights of the hand-made terms that it is added to."""
    rows: npt.NDArray[np.int16]
    """(inputs, filters), in units of 1/255."""
    bias: npt.NDArray[np.int16]
    """(filters)."""
    output: npt.NDArray[np.int16]
    """(last layers, 2, filters): for the mover's view and the other's, in units of 1/128."""
    output_bias: npt.NDArray[np.int32]
    """(last layers)."""

    @property
    def inputs(self) -> int:
        """How many inputs it has."""
        return int(self.rows.shape[0])

    @property
    def filters(self) -> int:
        """How many filters it has, each applied in four mirrors."""
        return int(self.rows.shape[1])

    @classmethod
    def built_in(cls) -> Network:
        """Returns the network of the champion."""
        return cls.from_bytes(built_in_network())

    @classmethod
    def read(cls, path: str | PathLike[str]) -> Network:
        """Reads a file, as `selfplay train` writes it."""
        return cls.from_bytes(Path(path).read_bytes())

    @classmethod
    def from_bytes(cls, data: bytes) -> Network:
        """Reads the bytes of a file."""
        if len(data) < 28 or data[:8] != b"anqi-net":
            raise NotationError("not the file of a network (expected it to begin with 'anqi-net')")
        _, version, inputs, filters, layers, origin, weights, checksum = _NETWORK.unpack(data[:28])
        if version != _NETWORK_VERSION:
            raise NotationError(f"a network file of version {version} (expected {_NETWORK_VERSION})")
        if zlib.crc32(data[28:], zlib.crc32(data[:24])) != checksum:
            raise NotationError("a damaged network file: its checksum is wrong")
        shapes = [(inputs, filters), (filters,), (layers, 2, filters)]
        sizes = [int(np.prod(shape)) for shape in shapes]
        if len(data) != 28 + origin + weights + 2 * sum(sizes) + 4 * layers:
            raise NotationError("a damaged network file: its length does not fit its header")
        at = 28 + origin + weights
        parts = []
        for shape, size in zip(shapes, sizes):
            parts.append(np.frombuffer(data, "<i2", size, at).reshape(shape).copy())
            at += 2 * size
        return cls(
            origin=data[28 : 28 + origin].decode(),
            weights=data[28 + origin : 28 + origin + weights].decode(),
            rows=parts[0],
            bias=parts[1],
            output=parts[2],
            output_bias=np.frombuffer(data, "<i4", layers, at).copy(),
        )

    def to_bytes(self) -> bytes:
        """Returns the bytes of a file."""
        origin, weights = self.origin.encode(), self.weights.encode()
        layers = len(self.output_bias)
        shorts = [self.rows, self.bias, self.output]
        content = origin + weights + b"".join(part.astype("<i2").tobytes() for part in shorts)
        content += self.output_bias.astype("<i4").tobytes()
        shape = (self.inputs, self.filters, layers, len(origin), len(weights))
        head = _NETWORK.pack(b"anqi-net", _NETWORK_VERSION, *shape, 0)[:24]
        return head + struct.pack("<I", zlib.crc32(content, zlib.crc32(head))) + content

    def write(self, path: str | PathLike[str]) -> None:
        """Writes a file that the champion plays with: ``champion:evaluation=network,network=FILE``."""
        Path(path).write_bytes(self.to_bytes())

    def result(
        self, seen: npt.NDArray[np.uint8], layers: npt.NDArray[np.uint8]
    ) -> npt.NDArray[np.int32]:
        """Returns the network's values for the side to move, equal to the engine's to the last unit.

        `seen` and `layers` are those of :func:`features`; they are 0 before the first flip.
        """
        total = self.output_bias.astype(np.int64)[layers]
        cut = np.clip(self.accumulators(seen), 0, SUM_UNIT).astype(np.int64)
        total += np.einsum("nvmf,nvf->n", cut * cut, self.output[layers])
        return total.astype(np.int32)

    def accumulators(self, seen: npt.NDArray[np.uint8]) -> npt.NDArray[np.int16]:
        """Returns the sums of the first layer, int16 of shape (n, 2, 4, filters), equal to the engine's.

        The first of two views is the mover's; the four are the mirrors of :mod:`anqi.encoding`.
        """
        images, views = input_images()
        own, other = seen.astype(np.float32), seen[:, views].astype(np.float32)
        sums = np.empty((len(seen), 2, len(images), self.filters), np.int16)
        for mirror, image in enumerate(images):
            # Sums of at most 96 numbers of 16 bits: exact in float32, which NumPy multiplies fast.
            rows = self.rows[image].astype(np.float32)
            for view, inputs in enumerate((own, other)):
                sums[:, view, mirror] = inputs @ rows + self.bias
        return sums

    def expected(
        self, seen: npt.NDArray[np.uint8], layers: npt.NDArray[np.uint8]
    ) -> npt.NDArray[np.float64]:
        """Returns the same in units of half a certain win."""
        return self.result(seen, layers) / (SUM_UNIT**2 * OUTPUT_UNIT)


@dataclass
class Data:
    """Labelled positions of a file of `selfplay data`."""

    recipe: str
    """How the games were played."""
    seed: int
    games: int
    board: npt.NDArray[np.uint8]
    """(n, 32), squares `column * 8 + row`: 0-13 a face-up piece, 14 face down, 15 empty."""
    hidden: npt.NDArray[np.uint8]
    """(n, 14): how many of each kind are face down."""
    turn: npt.NDArray[np.uint8]
    """(n): 0 unknown, 1 red, 2 black."""
    best: npt.NDArray[np.uint8]
    """(n): the best action, 0 a step, 1 a capture, 2 a flip."""
    value: npt.NDArray[np.float32]
    """(n): the search's value for the side to move, in ±1; the ends are proven."""
    result: npt.NDArray[np.int8]
    """(n): how the game ended for the side to move."""
    records: npt.NDArray[Any]
    """The records with all their fields."""

    def __len__(self) -> int:
        return len(self.records)

    def features(
        self, rows: slice = slice(None)
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
        """Returns what the network sees of some rows: its inputs and its last layers."""
        return board_features(self._boards(rows))

    def terms(self, weights: str, rows: slice = slice(None)) -> npt.NDArray[np.float64]:
        """Returns the sums of the hand-made terms of some rows, to which a network with these weights is added.

        They are in units of half of a certain win, as is :meth:`Network.expected`; :attr:`Network.weights`
        are the weights of a network.
        """
        return board_terms(weights, self._boards(rows))

    def _boards(self, rows: slice) -> tuple[bytes, bytes, bytes]:
        parts = (self.board[rows], self.hidden[rows], self.turn[rows])
        board, hidden, turn = (np.ascontiguousarray(part).tobytes() for part in parts)
        return board, hidden, turn


def read_data(path: str | PathLike[str]) -> Data:
    """Reads a file of `selfplay data` and checks it."""
    data = Path(path).read_bytes()
    if len(data) < 44 or data[:8] != b"anqidata":
        raise NotationError(f"{path}: not a file of positions (expected it to begin with 'anqidata')")
    _, version, size, recipe, seed, games, count, checksum = _DATA.unpack(data[:44])
    if (version, size) != (1, _RECORD.itemsize):
        raise NotationError(f"{path}: version {version} with records of {size} bytes (expected 1, 36)")
    content = data[44 + recipe :]
    if len(content) != count * size:
        raise NotationError(f"{path}: {len(content)} bytes of records (expected {count * size})")
    summed = zlib.crc32(content)
    for part in (data[:40], data[44 : 44 + recipe]):
        summed = zlib.crc32(part, summed)
    if summed != checksum:
        raise NotationError(f"{path}: its checksum is wrong; the file is damaged")
    records = np.frombuffer(content, _RECORD)
    return Data(
        recipe=data[44 : 44 + recipe].decode(),
        seed=seed,
        games=games,
        board=_halves(records["board"]),
        hidden=_halves(records["hidden"]),
        turn=(records["flags"] & 3).astype(np.uint8),
        best=(records["flags"] >> 2 & 3).astype(np.uint8),
        value=(records["value"] / np.float32(10_000)).astype(np.float32),
        result=records["result"],
        records=records,
    )


def _halves(packed: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Unpacks two numbers of each byte, the lower half first."""
    halves = np.empty((len(packed), 2 * packed.shape[1]), np.uint8)
    halves[:, 0::2], halves[:, 1::2] = packed & 15, packed >> 4
    return halves
