#!/usr/bin/env python3
"""Checks the schema of scene files by an implementation of JSON Schema that is not ours: every scene of the repository is valid, mistakes are not.

    python3 .ci/schema.py        # needs the package jsonschema
"""
import json
import pathlib
import re
import sys
import tomllib

import jsonschema

root = pathlib.Path(__file__).parent.parent
schema = json.loads((root / "docs/scene.schema.json").read_text())
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)

scenes = {}
for folder in ["golden", "docs/scenes", "examples"]:
    for path in sorted((root / folder).rglob("*.toml")):
        if path.name not in ("manifest.toml", "golden.toml", "Cargo.toml"):
            scenes[str(path)] = tomllib.loads(path.read_text())
for page in ["README.md", "docs/scene.md"]:
    blocks = re.findall(r"^```toml\n(.*?)^```", (root / page).read_text(), re.S | re.M)
    for number, block in enumerate(blocks):
        if "dependencies]" not in block and "[[rule]]" not in block:
            scenes[f"{page} {number}"] = tomllib.loads(block)
for name, scene in scenes.items():
    if error := jsonschema.exceptions.best_match(validator.iter_errors(scene)):
        sys.exit(f"{name}: {error.json_path}: {error.message}")

mistakes = [
    "no_such_key = 1",
    "[canvas]\nwidht = 8",
    "[canvas]\nwidth = 0",
    "[canvas]\nwidth = 1.5",
    'canvas = "white"',
    '[[circle]]\nradius = 1.0\nfill = "red"',
    "[[circle]]\ncenter = [1, 2, 3]\nradius = 1.0",
    '[[circle]]\ncenter = [1, 2]\nradius = -1.0\nfill = "red"',
    "[camera]\nfov = 180",
    '[camera]\nview = "above"',
    "[camera]\naperture = 1.0",
    '[render]\nlook = "matt"',
    "[render]\nao = 5000",
    "[render]\nshadows = 1",
    '[[spheres]]\nfile = "a.pdb"\ncolor_by = { column = "b", map = "rainbo" }',
    '[[generate]]\nkind = "uniform"',
    "[tolerance]\ndifference = 1\npixels = 2",
    '[figure]\nlegend = "off"',
]
for text in mistakes:
    if validator.is_valid(tomllib.loads(text)):
        sys.exit(f"the schema accepts a mistake:\n{text}")
print(f"{len(scenes)} scenes are valid, {len(mistakes)} mistakes are not")
