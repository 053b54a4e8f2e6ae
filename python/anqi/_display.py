"""Boards in notebooks: SVG for positions, a replay with a slider for games."""

from __future__ import annotations

import html
import itertools
import json

from anqi._anqi import Game, Position

_SQUARE = 48
_MARGIN = 20
_RED, _BLACK = "#b3261e", "#1c1b1f"
_CHARACTERS = dict(zip("KGMRNCPkgmrncp", "帥仕相俥傌炮兵將士象車馬包卒"))
_replays = itertools.count(1)


def svg(position: Position, marked: tuple[str, ...] = ()) -> str:
    """Returns a picture of a position, with some squares marked.

    >>> picture = svg(anqi.Position("K3/1r2/4/4/4/4/4/?2g r p 3 40"), marked=("a8",))
    >>> picture.startswith("<svg"), "帥" in picture
    (True, True)
    """
    pieces, face_down = position.pieces, set(position.face_down)
    width, height = 4 * _SQUARE + 2 * _MARGIN, 8 * _SQUARE + 2 * _MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="serif" text-anchor="middle">'
        f"<title>{html.escape(str(position))}</title>"
        f'<rect width="{width}" height="{height}" fill="#f4ead5"/>'
    ]
    for column, letter in enumerate("abcd"):
        x = _MARGIN + column * _SQUARE + _SQUARE / 2
        parts.append(f'<text x="{x}" y="{height - 5}" font-size="12" fill="#6b5d45">{letter}</text>')
        for row in range(8):
            square = f"{letter}{row + 1}"
            top = _MARGIN + (7 - row) * _SQUARE
            fill = "#f0d58a" if square in marked else "#e8d5ae"
            parts.append(
                f'<rect x="{x - _SQUARE / 2}" y="{top}" width="{_SQUARE}" height="{_SQUARE}" '
                f'fill="{fill}" stroke="#8a7650"/>'
            )
            piece = pieces.get(square)
            if square in face_down:
                parts.append(_disc(x, top + _SQUARE / 2, "#7d6a48", ""))
            elif piece is not None:
                color = _RED if piece.color == "red" else _BLACK
                parts.append(_disc(x, top + _SQUARE / 2, color, _CHARACTERS[piece.letter]))
    for row in range(8):
        y = _MARGIN + (7 - row) * _SQUARE + _SQUARE / 2 + 4
        parts.append(f'<text x="9" y="{y}" font-size="12" fill="#6b5d45">{row + 1}</text>')
    return "".join(parts) + "</svg>"


def _disc(x: float, y: float, color: str, character: str) -> str:
    fill = "#fffaf0" if character else color
    disc = f'<circle cx="{x}" cy="{y}" r="19" fill="{fill}" stroke="{color}" stroke-width="2"/>'
    if character:
        disc += f'<text x="{x}" y="{y + 9}" font-size="25" fill="{color}">{character}</text>'
    return disc


def replay(game: Game) -> str:
    """Returns a game as HTML: its boards, and a slider through them."""
    pictures = [svg(game.start)]
    captions = ["start"]
    position = game.start
    for number, (action, piece) in enumerate(game.plies, 1):
        position = position.apply(action, piece)
        shown = f"{action}({piece})" if piece is not None else str(action)
        pictures.append(svg(position, (action.source, action.target)))
        captions.append(f"{number}. {shown}")
    if game.result is not None:
        captions[-1] += f", {game.result}"
    name = f"anqi-replay-{next(_replays)}"
    last = len(pictures) - 1
    boards = json.dumps(pictures).replace("</", "<\\/")
    words = json.dumps(captions).replace("</", "<\\/")
    return (
        f'<div id="{name}"><div class="board">{pictures[last]}</div>'
        f'<input type="range" min="0" max="{last}" value="{last}" style="width:232px" '
        f'aria-label="ply"><div class="caption">{html.escape(captions[last])}</div></div>'
        f"<script>(() => {{ const root = document.getElementById({json.dumps(name)}); "
        f"const boards = {boards}, captions = {words}; "
        "root.querySelector('input').addEventListener('input', (event) => { "
        "const ply = Number(event.target.value); "
        "root.querySelector('.board').innerHTML = boards[ply]; "
        "root.querySelector('.caption').textContent = captions[ply]; }); })();</script>"
    )


def install() -> None:
    """Gives positions and games their pictures in notebooks."""
    setattr(Position, "_repr_svg_", _position_svg)
    setattr(Game, "_repr_svg_", _game_svg)
    setattr(Game, "_repr_html_", _game_html)


def _position_svg(self: Position) -> str:
    """A picture for notebooks."""
    return svg(self)


def _game_svg(self: Game) -> str:
    """A picture of the current position for notebooks."""
    return svg(self.position)


def _game_html(self: Game) -> str:
    """The boards of the game for notebooks, with a slider."""
    return replay(self)
