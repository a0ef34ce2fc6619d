"""The repository's Markdown pages: where they are, and what is in them."""

import os
import re
import subprocess
from typing import Dict, Iterator, List, NamedTuple, Set, Tuple

# Beside the workspace's own file, wherever tests are run.
ROOT = os.path.dirname(os.path.realpath("WORKSPACE"))
_NO_SOURCE = {".git", ".cache", "site"}
_FENCE = re.compile(r"^( *)(`{3,})([^`\n]*)\n(.*?)^\1\2`* *$", re.M | re.S)
_LINK = re.compile(r"\]\(\s*<?([^()\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)|^ {0,3}\[[^\]]+\]:\s*(\S+)"
                   r"|(?:src|href)=\"([^\"]+)\"", re.M)


class Block(NamedTuple):
    """A block of code; `info` is what stands after its fence."""
    info: str
    text: str


def read(path: str) -> str:
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def all_pages() -> List[str]:
    """Paths below the root, of what git knows or would add."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "--cached", "--others",
                             "--exclude-standard", "*.md"], capture_output=True, text=True,
                            check=False)
    if listed.returncode == 0:
        return sorted(path for path in listed.stdout.splitlines()
                      if os.path.exists(os.path.join(ROOT, path)))
    found = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in _NO_SOURCE
                      and not os.path.islink(os.path.join(folder, name))]
        found += [os.path.relpath(os.path.join(folder, name), ROOT) for name in names
                  if name.endswith(".md")]
    return sorted(found)


def blocks(text: str) -> Iterator[Block]:
    for _, _, info, content in _FENCE.findall(text):
        yield Block(info.strip(), content)


def prose(text: str) -> str:
    """The page without its code; each line stays where it is."""
    text = _FENCE.sub(lambda block: "\n" * block.group().count("\n"), text)
    return re.sub(r"(`+)(?!`)[^\n]*?(?<!`)\1(?!`)", "``", text)


def links(page: str) -> Iterator[Tuple[int, str, str]]:
    """Line, path below the root and anchor of each link into the repository."""
    text = prose(read(page))
    for match in _LINK.finditer(text):
        target = next(group for group in match.groups() if group)
        if re.match(r"[a-z][a-z0-9+.-]*:|//", target):
            continue
        path, _, anchor = target.partition("#")
        full = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
        yield text.count("\n", 0, match.start()) + 1, full, anchor


def anchors(page: str) -> Set[str]:
    """What a link may point to within a page, as GitHub names headings."""
    text = _FENCE.sub("", read(page))
    seen: Dict[str, int] = {}
    found = set(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", text))
    for title in re.findall(r"^#+ +(.*?) *#*$", text, re.M):
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).lower()
        slug = re.sub(r"[^\w\- ]", "", title).replace(" ", "-")
        count = seen.get(slug, 0)
        seen[slug] = count + 1
        found.add(f"{slug}-{count}" if count else slug)
    return found
