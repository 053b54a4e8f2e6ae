"""Writes src/board/glyphs.ts: the outlines of the pieces' characters, letters and the word mark.

The page must not depend on installed fonts, so the few glyphs that it needs are
kept as paths. They come from LXGW WenKai Bold and Noto Serif CJK TC Black, both
under the SIL Open Font License 1.1 (Debian: fonts-lxgw-wenkai,
fonts-noto-cjk-extra), and are scaled to a box of 100 units around the middle.

Needed only to change the glyphs: pip install fonttools; python3 tools/glyphs.py
"""

from pathlib import Path

from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

KAI = ("/usr/share/fonts/truetype/lxgw-wenkai/LXGWWenKai-Bold.ttf", 0)
SERIF = ("/usr/share/fonts/opentype/noto/NotoSerifCJK-Black.ttc", 3)

CHARACTERS = dict(zip("KGMRNCPkgmrncp", "帥仕相俥傌炮兵將士象車馬包卒"))
# Where Simplified Chinese has other characters.
SIMPLIFIED = dict(zip("KRNkrnc", "帅车马将车马炮"))
LETTERS = dict(zip("KGMRNCP", "KGMRNCP"))
MARK = {"dark": "暗", "chess": "棋"}

HEAD = """// Written by tools/glyphs.py; do not edit.
//
// Outlines of glyphs from LXGW WenKai Bold (characters, copyright 2021-2022 lxgw)
// and Noto Serif CJK TC Black (letters, copyright 2014-2022 Adobe), both under
// the SIL Open Font License, Version 1.1: https://openfontlicense.org
// Coordinates are tenths of a unit; the middle is 0 0.
"""


def outline(font, character, size, square):
    """Returns the path of a glyph, centred; `square` fits the larger side, else the em decides."""
    glyphs = font.getGlyphSet()
    glyph = glyphs[font.getBestCmap()[ord(character)]]
    bounds = BoundsPen(glyphs)
    glyph.draw(bounds)
    x0, y0, x1, y1 = bounds.bounds
    extent = max(x1 - x0, y1 - y0)
    # Wide and tall glyphs look larger than round ones at equal extent.
    scale = size * 10 / (extent if square else y1 - y0)
    pen = SVGPathPen(glyphs, lambda value: str(round(value)))
    shift = (-(x0 + x1) / 2 * scale, (y0 + y1) / 2 * scale)
    glyph.draw(TransformPen(pen, (scale, 0, 0, -scale, *shift)))
    return pen.getCommands()


def table(name, about, font, glyphs, size, square):
    rows = [f"/** {about} */", f"export const {name}: Record<string, string> = {{"]
    rows += [f'  {key}: "{outline(font, value, size, square)}",' for key, value in glyphs.items()]
    return "\n".join(rows) + "\n};\n"


def main():
    kai = TTFont(KAI[0], fontNumber=KAI[1])
    serif = TTFont(SERIF[0], fontNumber=SERIF[1])
    parts = [
        HEAD,
        table("CHARACTERS", "The character of each piece.", kai, CHARACTERS, 60, True),
        table("SIMPLIFIED", "The characters that Simplified Chinese writes differently.", kai, SIMPLIFIED, 60, True),
        table("LETTERS", "The letter of each kind of piece.", serif, LETTERS, 44, False),
        table("MARK", "The word mark.", kai, MARK, 90, True),
    ]
    target = Path(__file__).resolve().parent.parent / "src/board/glyphs.ts"
    target.write_text("\n".join(parts))


main()
