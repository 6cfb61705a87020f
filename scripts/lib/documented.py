"""Checks that a library's page has every public type under its topics: documented.py LIBRARY GRAPHS CATALOGUE"""

import json
import pathlib
import re
import sys

library, graphs, catalogue = sys.argv[1:]
page = pathlib.Path(catalogue, library + ".md")
if not page.exists():
    sys.exit(f"{library} has no page {page}")
listed = set()
for file in pathlib.Path(catalogue).glob("*.md"):
    topics = file.read_text().partition("\n## Topics\n")[2]
    listed |= set(re.findall(r"^- ``([^`]+)``", topics, re.M))
graph = json.loads(pathlib.Path(graphs, library + ".symbols.json").read_text())
kinds = {"swift.class", "swift.enum", "swift.protocol", "swift.struct", "swift.typealias", "swift.actor"}
types = {
    symbol["pathComponents"][0]
    for symbol in graph["symbols"]
    if symbol["kind"]["identifier"] in kinds and len(symbol["pathComponents"]) == 1
}
missing = sorted(types - listed)
if missing:
    sys.exit(f"{page}: under no topic: " + ", ".join(missing))
