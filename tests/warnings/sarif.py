# SPDX-License-Identifier: BSD-3-Clause
"""What SARIF 2.1.0 says of the objects that `broadloom migrate --sarif` writes.

usage: sarif.py FILE...

Prints each departure: an object without what it must have, with a property of another
name, type or value than SARIF has, or an address that is no URI reference.
"""
import json
import re
import sys

LEVEL = ("none", "note", "warning", "error")
URI = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*:)?([A-Za-z0-9._~!$&'()*+,;=:@/?#-]|%[0-9A-Fa-f]{2})+")

# Object: properties, what must be there, and where one of several must be.  A property is
# a type, an object, [an array's items], a tuple of values, or a least number.
OBJECTS = {
    "log": ({"$schema": "uri", "version": ("2.1.0",), "runs": ["run"]}, ["version", "runs"], []),
    "run": (
        {
            "tool": "tool",
            "columnKind": ("utf16CodeUnits", "unicodeCodePoints"),
            "results": ["result"],
        },
        ["tool"],
        [],
    ),
    "tool": ({"driver": "driver"}, ["driver"], []),
    "driver": (
        {"name": str, "fullName": str, "version": str, "rules": ["rule"]},
        ["name"],
        [],
    ),
    "rule": (
        {"id": str, "shortDescription": "message", "defaultConfiguration": "configuration"},
        ["id"],
        [],
    ),
    "configuration": ({"level": LEVEL}, [], []),
    "result": (
        {
            "ruleId": str,
            "ruleIndex": -1,
            "level": LEVEL,
            "baselineState": ("new", "unchanged", "updated", "absent"),
            "message": "message",
            "locations": ["location"],
            "occurrenceCount": 1,
            "fixes": ["fix"],
        },
        ["message"],
        [],
    ),
    "fix": (
        {"description": "message", "artifactChanges": ["change"]},
        ["artifactChanges"],
        [],
    ),
    "change": (
        {"artifactLocation": "artifact", "replacements": ["replacement"]},
        ["artifactLocation", "replacements"],
        [],
    ),
    "replacement": (
        {"deletedRegion": "deleted", "insertedContent": "message"},
        ["deletedRegion"],
        [],
    ),
    "deleted": (
        {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 1},
        ["startLine"],
        [],
    ),
    "message": ({"text": str}, ["text"], []),
    "location": ({"physicalLocation": "physical"}, [], []),
    "physical": (
        {"artifactLocation": "artifact", "region": "region", "address": "address"},
        [],
        ["artifactLocation", "address"],
    ),
    "artifact": ({"uri": "uri"}, [], []),
    "region": ({"startLine": 1}, ["startLine"], []),
    "address": ({"relativeAddress": -(2**63)}, [], []),
}


def check(value, kind, where):
    """Yield what is wrong with a value of that kind."""
    if isinstance(kind, list):
        if not isinstance(value, list):
            yield f"{where}: no array"
            return
        for index, item in enumerate(value):
            yield from check(item, kind[0], f"{where}[{index}]")
    elif kind == "uri":
        if not isinstance(value, str) or not URI.fullmatch(value):
            yield f"{where}: {value!r} is no URI reference"
    elif isinstance(kind, tuple):
        if value not in kind:
            yield f"{where}: {value!r}"
    elif isinstance(kind, int):
        if type(value) is not int or value < kind:
            yield f"{where}: {value!r} is not an integer from {kind} on"
    elif kind is str:
        if not isinstance(value, str):
            yield f"{where}: {value!r} is no text"
    elif not isinstance(value, dict):
        yield f"{where}: no object"
    else:
        properties, needed, one_of = OBJECTS[kind]
        for name in needed:
            if name not in value:
                yield f"{where}: no {name}"
        if one_of and not any(name in value for name in one_of):
            yield f"{where}: none of {', '.join(one_of)}"
        for name, item in value.items():
            if name in properties:
                yield from check(item, properties[name], f"{where}.{name}")
            else:
                yield f"{where}: {name} is no property of a {kind}"


def check_rules(log):
    """Yield results without a place, or whose rule is another than their index says."""
    for run in log["runs"]:
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        if len(set(rules)) != len(rules):
            yield "rules: the same twice"
        for result in run["results"]:
            if not result["locations"]:
                yield "locations: none"
            if rules[result["ruleIndex"]] != result["ruleId"]:
                yield f"ruleIndex {result['ruleIndex']} is not {result['ruleId']}"


def main():
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            log = json.load(file)
        faults = list(check(log, "log", "log")) or list(check_rules(log))
        for fault in faults:
            print(f"{path}: {fault}")


main()
