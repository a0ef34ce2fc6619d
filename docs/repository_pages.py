"""A hook of MkDocs: the site's pages are the repository's own Markdown files, each where it lies.

Nothing is copied into docs/. A link to another page stays as it is written; a link to a source file leads to
a page that shows the file, and a link to a folder to the folder's README.
"""

import os
import posixpath
import re
import subprocess
from typing import Dict, Iterator, List, Tuple

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

_ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
_IMAGES = (".png", ".svg", ".jpg", ".gif", ".webp")
_LINK = re.compile(r"(?<=\]\()([^()\s#]+)(#[^()\s]*)?(?=\))")
_FENCE = re.compile(r"^```(\w+) (bad|good)$", re.M)
_TABLE_ROW = re.compile(r"^\|.*$", re.M)
_CODE = re.compile(r"`[^`]*`")
# How rule pages mark their examples: the language that colours them, and what tests hold them to.
_LEXERS = {"extension": "cuda"}
_TITLES = {"bad": "reported", "good": "nothing is reported"}
# What the languages of shown files are called, where the file's ending does not say it.
_SHOWN_AS = {".cc": "cpp", ".cmake": "cmake", ".py": "python", ".sh": "sh", ".yml": "yaml",
             ".yaml": "yaml", ".bzl": "python"}


def tracked_files() -> List[str]:
    """The repository's files; where it is no checkout of git, all that are not a build's."""
    listed = subprocess.run(["git", "-C", _ROOT, "ls-files", "--cached", "--others",
                             "--exclude-standard"], capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        return listed.stdout.splitlines()
    found = []
    for folder, folders, names in os.walk(_ROOT):
        folders[:] = [name for name in folders
                      if name != ".git" and not os.path.islink(os.path.join(folder, name))]
        found += [os.path.relpath(os.path.join(folder, name), _ROOT) for name in names]
    return found


class Site:
    """Which files are pages, and which are shown because a page links to them."""

    def __init__(self):
        self.pages = sorted(path for path in tracked_files() if path.endswith(".md")
                            and os.path.isfile(os.path.join(_ROOT, path)))
        self.shown = set()
        self.images = set()
        for page in self.pages:
            for target, _ in links(page, read(page)):
                full = os.path.join(_ROOT, target)
                if target.endswith(_IMAGES):
                    self.images.add(target)
                elif os.path.isfile(full) and not target.endswith(".md"):
                    self.shown.add(target)

    def files(self, config) -> Iterator[File]:
        for page in self.pages:
            yield File.generated(config, page, abs_src_path=os.path.join(_ROOT, page))
        for image in sorted(self.images):
            yield File.generated(config, image, abs_src_path=os.path.join(_ROOT, image))
        for path in sorted(self.shown):
            yield File.generated(config, shown_page(path), content=shown_text(path))


def read(path: str) -> str:
    with open(os.path.join(_ROOT, path), encoding="utf-8") as file:
        return file.read()


def links(page: str, text: str) -> Iterator[Tuple[str, re.Match]]:
    """The relative links of a page, as paths of the repository."""
    for match in _LINK.finditer(text):
        target = match.group(1)
        if not re.match(r"[a-z]+:|/", target):
            yield posixpath.normpath(posixpath.join(posixpath.dirname(page), target)), match


def shown_page(path: str) -> str:
    """The page that shows a file. A leading dot would hide it."""
    folder, name = posixpath.split(path)
    return posixpath.join(folder, name.lstrip(".") + ".md")


def shown_text(path: str) -> str:
    language = _SHOWN_AS.get(posixpath.splitext(path)[1], "text")
    return f"# {path}\n\n````{language}\n{read(path)}````\n"


def expanded(entry, pages: List[str]):
    """A line of the navigation; one with a `*` stands for all pages that it fits, named by their file."""
    if isinstance(entry, dict):
        return [{title: expanded(below, pages) if isinstance(below, list) else below}
                for title, below in entry.items()]
    if isinstance(entry, list):
        return [each for below in entry for each in expanded(below, pages)]
    if "*" not in entry:
        return [entry]
    fitting = [page for page in pages
               if re.fullmatch(re.escape(entry).replace(r"\*", "[^/]*"), page)]
    if not fitting:
        raise PluginError(f"mkdocs.yml: no page fits {entry}")
    return [{posixpath.basename(page)[:-len(".md")]: page} for page in fitting]


_SITE: Dict[str, Site] = {}


def on_config(config):
    _SITE["site"] = Site()
    config.nav = expanded(config.nav, _SITE["site"].pages)
    return config


def on_files(files, config):  # pylint: disable=unused-argument
    own = [file for file in files if not file.src_uri.endswith((".md", ".py", ".txt"))]
    return Files([*own, *_SITE["site"].files(config)])


def on_page_markdown(markdown, page, config, files):  # pylint: disable=unused-argument
    site = _SITE["site"]
    here = page.file.src_uri
    if here not in site.pages:
        return markdown

    def fence(match: re.Match) -> str:
        language, kind = match.groups()
        return f'```{_LEXERS.get(language, language)} title="{_TITLES[kind]}"'

    def redirected(match: re.Match, target: str) -> str:
        anchor = match.group(2) or ""
        if target in site.shown:
            target = shown_page(target)
        elif posixpath.join(target, "README.md") in site.pages:
            target = posixpath.join(target, "README.md")
        else:
            return match.group(0)
        return posixpath.relpath(target, posixpath.dirname(here) or ".") + anchor

    parts, end = [], 0
    for target, match in links(here, markdown):
        parts += [markdown[end:match.start()], redirected(match, target)]
        end = match.end()
    text = "".join([*parts, markdown[end:]])
    # GitHub asks for a backslash before a bar in a table's code; Python-Markdown would show it.
    text = _TABLE_ROW.sub(lambda row: _CODE.sub(lambda code: code.group().replace("\\|", "|"),
                                                row.group()), text)
    return _FENCE.sub(fence, text)
