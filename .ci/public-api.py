"""The public names of the crate, from the pages that `cargo doc` wrote: a line for each item, with its members and traits.

    python3 .ci/public-api.py            compares them with .ci/public-api.txt
    python3 .ci/public-api.py --bless    writes that file
"""

import difflib
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent
STORED = HERE / "public-api.txt"
PAGES = HERE.parent / "target/doc/roundel"
ITEM = re.compile(r"(struct|enum|union|trait|fn|macro|constant|static|type|derive|attr)\.(\w+)\.html")
MEMBER = re.compile(r'id="(?:method|tymethod|variant|structfield|associatedconstant|associatedtype)\.(\w+)"')
TRAIT = re.compile(r'id="impl-([A-Z]\w*)')


def lines():
    for page in sorted(PAGES.rglob("*.html")):
        match = ITEM.fullmatch(page.name)
        if not match:
            continue
        kind, name = match.groups()
        text = page.read_text()
        if 'http-equiv="refresh"' in text:
            continue
        # traits that the compiler finds, or that all types have, say nothing of this one
        text = re.split(r'id="(?:synthetic|blanket)-implementations', text)[0]
        members = sorted(set(MEMBER.findall(text.split('id="trait-implementations"')[0])))
        traits = sorted(set(TRAIT.findall(text)) - {name, "StructuralPartialEq"})
        line = f"{kind} {'::'.join((*page.relative_to(PAGES.parent).parts[:-1], name))}"
        line += f" {{ {' '.join(members)} }}" if members else ""
        line += f": {' '.join(traits)}" if traits else ""
        yield f"{line}\n"


found = list(lines())
if not found:
    sys.exit(f"public-api.py: {PAGES} has no pages; cargo doc writes them")
if "--bless" in sys.argv:
    STORED.write_text("".join(found))
    sys.exit()
differences = list(difflib.unified_diff(STORED.read_text().splitlines(True), found, STORED.name, "the crate's pages", n=0))
sys.stdout.writelines(differences)
if differences:
    sys.exit("public-api.py: the public names differ; python3 .ci/public-api.py --bless accepts them")
