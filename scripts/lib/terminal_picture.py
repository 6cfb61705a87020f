"""Draws what a terminal shows as SVG: terminal_picture.py COLUMNS <TEXT, with the colours as escape sequences"""

import html
import re
import sys

COLUMN, LINE, TOP, LEFT = 8.4, 19, 44, 16
COLOURS = ["#24292f", "#ff7b72", "#7ee787", "#e3b341", "#79c0ff", "#d2a8ff", "#76e3ea", "#c9d1d9"]
BRIGHT = ["#6e7681", "#ffa198", "#56d364", "#f2cc60", "#a5d6ff", "#e2c5ff", "#b3f0ff", "#f0f6fc"]
PLAIN, PAGE = "#c9d1d9", "#0d1117"


def palette(number):
    if number < 8:
        return COLOURS[number]
    if number < 16:
        return BRIGHT[number - 8]
    if number < 232:
        number -= 16
        return "#" + "".join(f"{(0, 95, 135, 175, 215, 255)[part]:02x}" for part in (number // 36, number // 6 % 6, number % 6))
    return "#" + f"{8 + (number - 232) * 10:02x}" * 3


def applied(style, codes):
    style = dict(style)
    codes = [int(code or 0) for code in codes]
    while codes:
        code = codes.pop(0)
        if code == 0:
            style = {}
        elif code == 1:
            style["bold"] = True
        elif code == 2:
            style["faint"] = True
        elif code == 22:
            style.pop("bold", None), style.pop("faint", None)
        elif code in (38, 48) and codes:
            key = "ink" if code == 38 else "back"
            kind = codes.pop(0)
            if kind == 5:
                style[key] = palette(codes.pop(0))
            elif kind == 2:
                style[key] = "#" + "".join(f"{codes.pop(0):02x}" for _ in range(3))
        elif 30 <= code < 38:
            style["ink"] = COLOURS[code - 30]
        elif 90 <= code < 98:
            style["ink"] = BRIGHT[code - 90]
        elif 40 <= code < 48:
            style["back"] = COLOURS[code - 40]
        elif code == 39:
            style.pop("ink", None)
        elif code == 49:
            style.pop("back", None)
    return style


columns = int(sys.argv[1])
lines = sys.stdin.read().rstrip("\n").split("\n")
width, height = LEFT * 2 + columns * COLUMN, TOP + len(lines) * LINE + 12
print(
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" '
    f'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14">'
)
print(f'<rect width="100%" height="100%" rx="8" fill="{PAGE}"/>')
for number, colour in enumerate(["#ff5f56", "#ffbd2e", "#27c93f"]):
    print(f'<circle cx="{20 + number * 20}" cy="18" r="6" fill="{colour}"/>')
style = {}
for row, line in enumerate(lines):
    column, runs = 0, []
    for text, codes in re.findall(r"([^\x1b]+)|\x1b\[([0-9;]*)m", line):
        if not text:
            style = applied(style, codes.split(";"))
            continue
        runs.append((column, text, style))
        column += len(text)
    y = TOP + row * LINE
    for column, text, drawn in runs:
        x = LEFT + column * COLUMN
        if drawn.get("back"):
            print(f'<rect x="{x:g}" y="{y - 14:g}" width="{len(text) * COLUMN:g}" height="{LINE}" fill="{drawn["back"]}"/>')
        if not text.strip():
            continue
        marks = (' font-weight="bold"' if drawn.get("bold") else "") + (' opacity="0.7"' if drawn.get("faint") else "")
        print(
            f'<text x="{x:g}" y="{y:g}" fill="{drawn.get("ink", PLAIN)}"{marks} xml:space="preserve" '
            f'textLength="{len(text) * COLUMN:g}">{html.escape(text)}</text>'
        )
print("</svg>")
