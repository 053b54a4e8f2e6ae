"""Networks, data files, and the evaluation suite."""

import struct
import zlib

import numpy as np
import pytest

import anqi
from anqi import learning, truth
from anqi._anqi import built_in_network, network_accumulators, network_results
from games import random_game

GAMES = [random_game(seed, plies=10 + 9 * seed) for seed in range(8)]


def positions():
    found = []
    for game in GAMES:
        position = game.start
        for action, piece in game.plies:
            position = position.apply(action, piece)
            if not position.is_terminal:
                found.append(position)
    return found


def test_the_network_in_numpy_is_the_engine_s_to_the_last_unit():
    network, seen = learning.Network.built_in(), positions()
    assert len(seen) > 200
    ours = network.result(*learning.features(seen))
    assert (ours == network_results(built_in_network(), seen)).all() and ours.std() > 0
    assert [anqi.evaluate(position)["network"] for position in seen[:50]] == ours[:50].tolist()


def test_accumulators_are_the_engine_s_in_every_view_and_mirror():
    network, seen = learning.Network.built_in(), positions()
    ours = network.accumulators(learning.features(seen)[0])
    assert ours.shape == (len(seen), 2, 4, network.filters) and ours.dtype == np.int16
    assert (ours == network_accumulators(built_in_network(), seen)).all() and ours.std() > 0
    for position, sums in list(zip(seen, ours))[::9]:
        told = anqi.evaluate(position, accumulators=True)
        assert (told["accumulators"] == sums).all() and told["layer"] == learning.features([position])[1][0]
        # The other side sees the views exchanged, a mirror image has the mirrors exchanged.
        if position.to_move is not None:
            other = {"red": "b", "black": "r"}[position.to_move]
            words = str(position).split(" ")
            swapped = anqi.evaluate(" ".join([words[0], other, *words[2:]]), accumulators=True)
            assert (swapped["accumulators"] == sums[::-1]).all()
        mirrored = anqi.evaluate(position.mirrored("rows"), accumulators=True)["accumulators"]
        assert (mirrored == sums[:, [1, 0, 3, 2]]).all()
    # What the last layer makes of the sums is the value.
    position = seen[-1]
    told = anqi.evaluate(position, accumulators=True)
    cut = np.clip(told["accumulators"].astype(np.int64), 0, learning.SUM_UNIT)
    weighed = (cut**2 * network.output[told["layer"]][:, None]).sum() + network.output_bias[told["layer"]]
    assert weighed == told["network"]


def test_networks_come_back_from_their_bytes_and_others_have_other_values(tmp_path):
    network = learning.Network.built_in()
    assert network.to_bytes() == built_in_network()
    rng = np.random.default_rng(1)
    filters = 8
    other = learning.Network(
        origin="made by a test",
        weights=network.weights,
        rows=rng.integers(-40, 40, (network.inputs, filters)).astype(np.int16),
        bias=rng.integers(-40, 40, filters).astype(np.int16),
        output=rng.integers(-50, 50, (8, 2, filters)).astype(np.int16),
        output_bias=rng.integers(-1000, 1000, 8).astype(np.int32),
    )
    file = tmp_path / "other.network"
    other.write(file)
    again = learning.Network.read(file)
    assert again.to_bytes() == other.to_bytes() and again.filters == filters
    seen = positions()
    ours = other.result(*learning.features(seen))
    assert (ours == network_results(other.to_bytes(), seen)).all()
    sums = other.accumulators(learning.features(seen)[0])
    assert (sums == network_accumulators(other.to_bytes(), seen)).all()
    told = anqi.evaluate(seen[5], network=file, accumulators=True)
    assert told["network"] == ours[5] and told["accumulators"].shape == (2, 4, filters)
    assert told["with_network"] != anqi.evaluate(seen[5])["with_network"]
    with pytest.raises(anqi.NotationError, match="none.network"):
        anqi.evaluate(seen[5], network=tmp_path / "none.network")
    choice = anqi.Player(f"champion:evaluation=network,network={file}").choose(GAMES[3], nodes=500)
    assert choice.action in GAMES[3].legal_actions()


def test_damaged_networks_are_refused():
    data = built_in_network()
    for bad in (b"", b"anqi-net", b"x" * 100, data[:-1], data[:200] + b"?" + data[201:], data[:8] + b"\1" + data[9:]):
        with pytest.raises(anqi.NotationError):
            learning.Network.from_bytes(bad)
        with pytest.raises(anqi.NotationError):
            network_results(bad, [])
        with pytest.raises(anqi.NotationError):
            network_accumulators(bad, [])


def data_file(seen):
    """Writes positions by the documented layout."""
    records = b""
    for number, position in enumerate(seen):
        codes = [15] * 32
        square = lambda name: "abcd".index(name[0]) * 8 + int(name[1]) - 1  # noqa: E731
        for name in position.face_down:
            codes[square(name)] = 14
        for name, piece in position.pieces.items():
            codes[square(name)] = piece.index
        counts = [position.hidden.get(piece, 0) for piece in anqi.Piece.all()]
        pack = lambda halves: bytes(a | b << 4 for a, b in zip(halves[::2], halves[1::2]))  # noqa: E731
        turn = {None: 0, "red": 1, "black": 2}[position.to_move]
        records += pack(codes) + pack(counts) + bytes([turn | 2 << 2])
        records += struct.pack("<HHhbBI", position.quiet, position.ply, -5000, -1, 7, number)
    recipe = b"by hand"
    head = struct.pack("<8sHHIQQQ", b"anqidata", 1, 36, len(recipe), 9, len(seen), len(seen))
    summed = zlib.crc32(recipe, zlib.crc32(head, zlib.crc32(records)))
    return head + struct.pack("<I", summed) + recipe + records


def test_data_files_come_as_arrays(tmp_path):
    seen = positions()
    file = tmp_path / "games.data"
    file.write_bytes(data_file(seen))
    data = learning.read_data(file)
    assert (len(data), data.seed, data.games, data.recipe) == (len(seen), 9, len(seen), "by hand")
    assert (data.value == -0.5).all() and (data.result == -1).all() and (data.best == 2).all()
    ours, theirs = data.features(), learning.features(seen)
    assert (ours[0] == theirs[0]).all() and (ours[1] == theirs[1]).all()
    assert data.features(slice(3, 9))[0].shape == (6, learning.Network.built_in().inputs)
    for place in (0, 9, 20, 50, len(file.read_bytes()) - 1):
        damaged = bytearray(data_file(seen))
        damaged[place] ^= 1
        file.write_bytes(damaged)
        with pytest.raises(anqi.NotationError):
            learning.read_data(file)


def test_the_suite_is_true_and_the_same_every_time():
    suite = truth.suite(seed=3, each=15)
    again = truth.suite(seed=3, each=15)
    assert suite.positions == again.positions and (suite.expected == again.expected).all()
    tables = anqi.Tables.embedded()
    for position, expected in list(zip(suite.positions, suite.expected))[::7]:
        assert float(tables.probe(position).expected) == expected
    perfect = suite.measure(lambda positions: suite.expected)
    assert all(row["mean"] == row["largest"] == row["wrong_side"] == 0 for row in perfect)
    assert {(row["pieces"], row["face_down"]) for row in perfect} == {
        (2, 0), (3, 0), (4, 0), (5, 0), (2, 1), (3, 1), (3, 2), (4, 1), (4, 2), (4, 3),
    }  # fmt: skip
    told = suite.measure(lambda seen: [anqi.evaluate(position)["expected"] for position in seen])
    opposite = suite.measure(lambda seen: -suite.expected)
    assert all(row["mean"] < other["mean"] for row, other in zip(told, opposite))
    with pytest.raises(anqi.Error, match="expected one for each"):
        suite.measure(lambda positions: [0.0])
