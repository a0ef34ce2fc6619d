#!/usr/bin/env python3
"""Makes the skeleton of a rule: every file that it needs, and its line in every list.

    rules/new_rule.py my-hazard "what goes wrong, in one line"

What it makes compiles and finds nothing. The page's example and the fixture are marked with what is to be
found, so //tests/checks fails until the check reports it. Nothing that exists is overwritten.
"""

import argparse
import os
import re
import sys
from typing import Dict, List

_ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))

_HEADER = """\
// {id}: {summary}.
// Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_{upper}_H_
#define PLACECHECK_RULES_{upper}_H_

#include <string_view>

#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::{name} {{

inline constexpr Rule kRule{{
    .id = "{id}",
    .summary = "{summary}",
    .category = Category::kPlacement,
    .severity = Severity::kWarning,
    .languages = {{.cpp = true, .cuda = true, .python = false}},
    .witnesses = {{.analyzer = true, .runtime = false}},
    .predicted_error = "",
}};

// Of facts, not of source: broken only where it is certain, unknown where a fact is missing.
constexpr Verdict judge(Trait is_wrong) {{
  if (is_wrong == Trait::kUnknown) return Verdict::kUnknown;
  return is_wrong == Trait::kYes ? Verdict::kBroken : Verdict::kHolds;
}}

}}  // namespace placecheck::rules::{name}

#endif  // PLACECHECK_RULES_{upper}_H_
"""

_CHECK = """\
// {id}: {summary}.
#include "rules/{name}.h"

#include "analyzer/checks/check.h"

namespace placecheck::checks {{
namespace {{

// Turns an event into facts, asks the predicate, and words what is broken.
void on_event(const dataflow::Event&, const dataflow::View&, Reporter&) {{}}

}}  // namespace

extern const Check k{camel}{{&rules::{name}::kRule, on_event, nullptr}};

}}  // namespace placecheck::checks
"""

_PAGE = """\
# {id}

{capital}.

## What it means

## Why it fails

## Example

```cpp bad
#include <torch/torch.h>

torch::Tensor wrong(torch::Tensor batch) {{
  return batch;  // expect: {id}
}}
```

## Instead

```cpp good
#include <torch/torch.h>

torch::Tensor right(torch::Tensor batch) {{
  return batch;
}}
```

## Limits

- Where a place is not known, the checker stays silent.
"""

_FIXTURE = """\
// {capital}.
#include <torch/torch.h>

int main() {{
  auto batch = torch::rand({{4, 8}});{mark}
}}
"""


def new_files(rule: str, summary: str) -> Dict[str, str]:
    name = rule.replace("-", "_")
    words = {"id": rule, "name": name, "upper": name.upper(), "camel": camel(rule),
             "summary": summary, "capital": summary[0].upper() + summary[1:]}
    bad = _FIXTURE.format(mark=f"  // expect: {rule}", **words)
    return {
        f"rules/{name}.h": _HEADER.format(**words),
        f"rules/docs/{rule}.md": _PAGE.format(**words),
        f"analyzer/checks/{name}.cc": _CHECK.format(**words),
        f"testdata/{rule}/first.cc": bad,
        f"testdata/{rule}/first_good.cc": _FIXTURE.format(mark="", **words),
    }


def camel(rule: str) -> str:
    return "".join(word.capitalize() for word in rule.split("-"))


def insert_sorted(lines: List[str], pattern: str, new: str) -> List[str]:
    """`new` among the consecutive lines that match, which are sorted."""
    places = [i for i, line in enumerate(lines) if re.fullmatch(pattern, line)]
    if not places:
        raise SystemExit(f"no line like {new!r} is there")
    end = next((i for i in range(places[0], len(lines)) if not re.fullmatch(pattern, lines[i])),
               len(lines))
    for i in range(places[0], end):
        if lines[i].strip() > new.strip():
            return lines[:i] + [new] + lines[i:]
    return lines[:end] + [new] + lines[end:]


def list_lines(rule: str, summary: str) -> List[tuple]:
    """The lists that name every rule: file, what their lines look like, the new line."""
    name = rule.replace("-", "_")
    return [
        ("rules/BUILD", r' {8}"[a-z_]+\.h",', f'        "{name}.h",'),
        ("rules/catalog.cc", r'#include "rules/[a-z_]+\.h"', f'#include "rules/{name}.h"'),
        ("rules/catalog.cc", r"    [a-z_]+::kRule,", f"    {name}::kRule,"),
        ("analyzer/checks/all_checks.cc", r"extern const Check k\w+;",
         f"extern const Check k{camel(rule)};"),
        ("analyzer/checks/all_checks.cc", r"      k\w+,", f"      k{camel(rule)},"),
        ("docs/rules.md", r"\| \[[a-z-]+\]\(.*",
         f"| [{rule}](../rules/docs/{rule}.md) | warning | {summary} |"),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rule", help="its id: words in lower case joined by hyphens")
    parser.add_argument("summary", help="lower case, no full stop")
    parser.add_argument("--root", default=_ROOT, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not re.fullmatch(r"[a-z]+(-[a-z]+)+", options.rule):
        parser.error(f"'{options.rule}' is no rule id: words in lower case joined by hyphens")
    if not options.summary or '"' in options.summary:
        parser.error("the summary is one line without quotation marks")
    files = new_files(options.rule, options.summary)
    for path in files:
        if os.path.exists(os.path.join(options.root, path)):
            parser.error(f"{path} exists")
    for path, text in files.items():
        full = os.path.join(options.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)
        print("made", path)
    for path, pattern, line in list_lines(options.rule, options.summary):
        full = os.path.join(options.root, path)
        with open(full, encoding="utf-8") as file:
            lines = file.read().splitlines()
        with open(full, "w", encoding="utf-8") as file:
            file.write("\n".join(insert_sorted(lines, pattern, line)) + "\n")
        print("listed in", path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
