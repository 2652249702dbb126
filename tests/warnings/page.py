# SPDX-License-Identifier: BSD-3-Clause
"""What the page of `broadloom migrate --html` must be.

usage: page.py FILE...

Prints each departure: markup that is not well-formed, a reference to anything outside of
the file, a form without labels, tables without headers, pictures without a text, colours
without contrast, and pairs of elements that are not those of the shapes.
"""
import itertools
import re
import sys
import xml.etree.ElementTree as ET

# Elements and attributes that load something, or go elsewhere.
LOADING = {"link", "img", "iframe", "frame", "object", "embed", "base", "audio", "video", "source", "image", "use"}
ADDRESSES = {"href", "src", "srcset", "action", "formaction", "data", "poster", "background", "cite", "ping"}
REQUESTS = re.compile(r"url\(|@import|https?:|fetch|XMLHttp|WebSocket|import\b|eval|innerHTML|document\.write")


def text_of(element):
    return "".join(element.itertext())


def check_references(root, ids):
    for element in root.iter():
        if element.tag in LOADING:
            yield f"<{element.tag}> loads something"
        for name, value in element.attrib.items():
            if name in ADDRESSES and not (value[:1] == "#" and value[1:] in ids):
                yield f'{name}="{value}" is elsewhere'
            if name.startswith("on") or name == "style" or ":" in name:
                yield f"<{element.tag} {name}>"
        if element.tag in ("style", "script"):
            for found in REQUESTS.findall(text_of(element)):
                yield f"<{element.tag}>: {found}"
            if re.search("[<&]", text_of(element)):
                yield f"<{element.tag}> means another thing in HTML than in XML"
    policy = [m.get("content") for m in root.iter("meta") if m.get("http-equiv") == "Content-Security-Policy"]
    if len(policy) != 1 or not policy[0].startswith("default-src 'none';"):
        yield "no policy that forbids to load"


def check_structure(root, ids):
    if root.get("lang") != "en" or not text_of(root.find("head/title")):
        yield "no language or no title"
    if len(list(root.iter("main"))) != 1:
        yield "not one <main>"
    levels = [int(e.tag[1]) for e in root.iter() if re.fullmatch("h[1-6]", e.tag)]
    if levels[:1] != [1] or levels.count(1) != 1 or any(b > a + 1 for a, b in zip(levels, levels[1:])):
        yield f"levels of headings: {levels[:20]}"
    labels = {label.get("for") for label in root.iter("label") if text_of(label).strip()}
    for element in root.iter():
        if element.tag in ("input", "select", "textarea") and element.get("id") not in labels:
            yield f"<{element.tag}> without a label"
        if element.tag in ("a", "button", "summary", "th", "caption") and not text_of(element).strip():
            yield f"<{element.tag}> without a text"
        if element.tag == "svg" and (element.get("role") != "img" or not element.get("aria-label")):
            yield "a picture without a text"
        if element.tag == "th" and element.get("scope") not in ("col", "row"):
            yield "<th> without a scope"
        if element.tag == "table" and (element[0].tag != "caption" or element.find("thead") is None):
            yield "<table> without a caption or a head"
        if element.tag == "table":
            widths = {len(row) for row in element.iter("tr")}
            if len(widths) != 1:
                yield f"<table> with rows of {widths} cells"
        if element.tag == "details" and element[0].tag != "summary":
            yield "<details> without a summary"
        for name in ("aria-labelledby", "for"):
            if element.get(name) and element.get(name) not in ids:
                yield f'{name}="{element.get(name)}" is nowhere'


# ---- colours ----

def luminance(colour):
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    parts = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(a, b):
    dark, light = sorted((luminance(a), luminance(b)))
    return (light + 0.05) / (dark + 0.05)


def check_colours(style, pictures):
    """Each colour of text on each background, except where a rule has both."""
    themes = [dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{6})", block))
              for block in re.findall(r":root\s*{([^}]*)}", style)]
    if len(themes) != 2 or set(themes[0]) != set(themes[1]):
        yield "light and dark have other colours"
        return
    inks, grounds, pairs = set(), set(), set()
    for rule in re.findall(r"{([^{}]*)}", style):
        ink = re.findall(r"(?<![\w-])color:\s*var\(--([\w-]+)\)", rule)
        ground = re.findall(r"background:\s*var\(--([\w-]+)\)", rule)
        if ink and ground and ground[0] not in ("page", "panel"):
            pairs.add((ink[0], ground[0]))
        else:
            inks.update(ink)
            grounds.update(ground)
    for element in pictures:
        for part in element.iter():
            fill = re.fullmatch(r"var\(--([\w-]+)\)", part.get("fill", ""))
            if fill:
                (inks if part.tag in ("text", "g") else grounds).add(fill[1])
            elif part.get("fill", "none") != "none":
                yield f'fill="{part.get("fill")}" is no variable'
    grounds -= {ground for _, ground in pairs}
    if len(inks) < 4 or len(grounds) < 2 or len(pairs) < 4:
        yield f"few colours were found: {inks} {grounds} {pairs}"
    for theme, (ink, ground) in itertools.product(themes, pairs | set(itertools.product(inks, grounds))):
        if contrast(theme[ink], theme[ground]) < 4.5:
            yield f"{ink} {theme[ink]} on {ground} {theme[ground]}: {contrast(theme[ink], theme[ground]):.2f}"
    for theme, ground in itertools.product(themes, ("page", "panel")):
        if contrast(theme["focus"], theme[ground]) < 3 or contrast(theme["edge"], theme[ground]) < 3:
            yield f"focus or edge on {ground} {theme[ground]}"


# ---- pairs ----

def element_of(shape, whole, index):
    """The number of the element that an index of the whole shape has."""
    number = 0
    for extent, at in zip(shape, index[len(whole) - len(shape):]):
        number = number * extent + (at if extent > 1 else 0)
    return number


def pairs_of(operands, whole, drawn, most):
    """The text of a picture, which has some dimensions of the shape."""
    extents = [whole[d] for d in drawn]
    rows = extents[0] if len(drawn) == 2 or (drawn and drawn[0] < len(whole) - 1) else 1
    columns = extents[-1] if len(drawn) == 2 or rows == 1 and drawn else 1
    lines = []
    for i in range(rows if rows <= 5 else 4):
        cells = []
        for j in range(columns if columns <= most else most - 1):
            index = [0] * len(whole)
            for d, at in zip(drawn, (i, j) if len(drawn) == 2 else (i or j,)):
                index[d] = at
            numbers = [str(element_of(shape, whole, index)) for shape in operands]
            cells.append(" with ".join(numbers[:2]) + "".join(f" and {n}" for n in numbers[2:]))
        lines.append(", ".join(cells) + (", and so on" if columns > most else ""))
    return "; ".join(lines) + ("; and so on." if rows > 5 else ".")


def check_pairs(place):
    call = re.match(r"\w+ (.*) -> ", text_of(place.find(".//*[@class='call']")))
    pictures = [picture for picture in place.iter("svg") if picture.get("aria-label")]
    if not pictures:
        return
    operands = [[int(n) for n in shape.split(",") if n] for shape in re.findall(r"\(([\d,]*)\)", call[1])]
    numel = 1
    for extent in operands[0]:
        numel *= extent
    texts = [picture.get("aria-label").split("): ")[1] for picture in pictures]
    if texts[0] != pairs_of([[numel]] * len(operands), [numel], [0] if numel > 1 else [], 10):
        yield f"{call[0]} as 1-D: {texts[0]}"
    if len(pictures) == 1:
        return
    rank = max(map(len, operands))
    padded = [[1] * (rank - len(shape)) + shape for shape in operands]
    whole = [max(extents) for extents in zip(*padded)]
    caption = text_of(place.findall(".//figcaption")[2])
    rest = re.search(r"index 0 of dimension ([\d, ]+)\.", caption)
    hidden = {int(d) for d in rest[1].split(",")} if rest else set()
    drawn = [d for d in range(rank) if whole[d] > 1 and d not in hidden]
    want = pairs_of(operands, whole, drawn, 5)
    if texts[1] != want:
        yield f"{call[0]} broadcast: {texts[1]}, not {want}"
    seen = "".join(text.text for text in pictures[1].iter("text") if text.text.isdigit())
    if len(drawn) > 2 or (max(whole) <= 5 and len(seen) < len("".join(re.findall(r"\d", want)))):
        yield f"{call[0]} broadcast: {seen} is drawn"


def check(path):
    """Yield what is wrong with a page."""
    with open(path, "rb") as file:
        data = file.read()
    if not data.startswith(b"<!DOCTYPE html>\n"):
        yield "no document type"
    try:
        root = ET.fromstring(data.decode())
    except (ET.ParseError, UnicodeDecodeError) as error:
        yield f"not well-formed: {error}"
        return
    names = [element.get("id") for element in root.iter() if element.get("id")]
    if len(names) != len(set(names)):
        yield "the same id twice"
    yield from check_references(root, set(names))
    yield from check_structure(root, set(names))
    yield from check_colours(text_of(root.find("head/style")), root.iter("svg"))
    for place in root.findall(".//*[@class='place']"):
        yield from check_pairs(place)


def main():
    for path in sys.argv[1:]:
        for fault in itertools.islice(check(path), 20):
            print(f"{path}: {fault}")


main()
