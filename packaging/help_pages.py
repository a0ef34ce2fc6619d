"""The man page and the shells' completions, made from what `placecheck --help` prints.

The program's table of options is the only list of them, so nothing here can fall behind it.
"""

import re
from typing import List, NamedTuple

_CODES_TITLE = "exit code:"


class Option(NamedTuple):
    name: str  # "--format" or "-j"
    value: str  # how the help calls its value; empty: a switch
    help: str

    @property
    def choices(self) -> List[str]:
        """The words of which the value is one, where the help lists them; else none."""
        text = self.help.split(";")[0].replace(" (default)", "")
        words = re.split(r", | or ", text)
        plain = all(re.fullmatch(r"[a-z][a-z0-9-]*", word) for word in words)
        return words if self.value and plain and len(words) > 1 else []


class Help(NamedTuple):
    summary: str
    usage: str
    options: List[Option]
    exit_codes: str


def parse(text: str) -> Help:
    """Reads the text of --help."""
    before, after = text.split("options:\n", 1)
    rows, exit_codes = after.split(_CODES_TITLE, 1)
    options = []
    for row in rows.splitlines():
        match = re.match(r"  (--?[a-z-]+)(?:\[?[= ]([A-Z-]+)\]?)?  +(.*)", row)
        if match:
            options.append(Option(match.group(1), match.group(2) or "", match.group(3)))
        elif row.strip():
            raise ValueError(f"a line of --help is no option: {row!r}")
    lines = before.splitlines()
    usage = next(line for line in lines if line.startswith("usage: "))
    codes = " ".join(line.strip() for line in exit_codes.splitlines() if line.strip())
    return Help(lines[0].split(": ", 1)[1], usage[len("usage: "):], options, codes)


def _roff(text: str) -> str:
    """Text as roff reads it: its escapes and the dots at the start of lines are no commands."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"(?m)^([.'])", r"\\&\1", text)


def man_page(help_text: Help, version: str, commit: str) -> str:
    source = f"placecheck {version}" + (f" ({commit})" if commit else "")
    parts = [
        f'.TH PLACECHECK 1 "" "{source}" "User Commands"',
        ".SH NAME", f"placecheck \\- {_roff(help_text.summary)}",
        ".SH SYNOPSIS", _roff(help_text.usage),
        ".SH DESCRIPTION",
        "Reads C++ and CUDA training code without running it, and reports where an operation would "
        "meet values on different devices. A PATH is a source file, or a folder that is searched.",
        ".SH OPTIONS",
    ]
    for option in help_text.options:
        joint = "=" if option.name.startswith("--") else " "
        value = f"{joint}\\fI{_roff(option.value)}\\fR" if option.value else ""
        parts += [".TP", f"\\fB{_roff(option.name)}\\fR{value}", _roff(option.help)]
    parts += [
        ".SH EXIT STATUS", _roff(help_text.exit_codes),
        ".SH FILES",
        ".TP", "\\fI.placecheck.yaml\\fR", "settings of a project, looked for upwards",
        ".TP", "\\fI$XDG_CACHE_HOME/placecheck\\fR", "what is kept between runs",
        ".SH ENVIRONMENT",
        ".TP", "LIBTORCH, CUDA_HOME", "where libtorch and the CUDA toolkit are",
    ]
    return "\n".join(parts) + "\n"


def bash_completion(help_text: Help, rules: List[str]) -> str:
    names = " ".join(option.name + ("=" if option.value and option.name.startswith("--") else "")
                     for option in help_text.options)
    cases = []
    for option in help_text.options:
        words = rules if option.value in ("RULE", "LIST") and "rule" in option.help else \
            option.choices
        if words:
            cases.append(f'    {option.name}) words="{" ".join(words)}" ;;')
        elif option.value == "DIR":
            cases.append(f'    {option.name}) COMPREPLY=($(compgen -d -- "$value")); return ;;')
    return f"""\
# Completion of placecheck for bash.
_placecheck() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} option= value= words=
  # COMP_WORDBREAKS makes `=` a word of its own.
  if [[ $word == "=" ]]; then option=$before
  elif [[ $before == "=" ]]; then option=${{COMP_WORDS[COMP_CWORD-2]}} value=$word
  else option=$before value=$word; fi
  case $option in
{chr(10).join(cases)}
  esac
  if [[ -n $words ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$value"))
  elif [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "{names}" -- "$word"))
    [[ ${{COMPREPLY[0]-}} != *= ]] || compopt -o nospace
  else
    COMPREPLY=($(compgen -f -- "$value"))
    compopt -o filenames
  fi
}}
complete -F _placecheck placecheck
"""


def zsh_completion(help_text: Help, rules: List[str]) -> str:
    lines = []
    for option in help_text.options:
        described = re.sub(r"([\[\]:'\\])", r"\\\1", option.help).replace("\\'", "'\\''")
        action = ""
        if option.value:
            words = rules if option.value in ("RULE", "LIST") and "rule" in option.help else \
                option.choices
            where = {"FILE": "_files", "DIR": "_files -/"}.get(option.value, "")
            action = f":{option.value.lower()}:" + (f"({' '.join(words)})" if words else where)
        joint = "=" if option.value and option.name.startswith("--") else ""
        lines.append(f"  '*{option.name}{joint}[{described}]{action}'")
    joined = " \\\n".join(lines)
    return f"#compdef placecheck\n_arguments -S \\\n{joined} \\\n  '*:path:_files'\n"
