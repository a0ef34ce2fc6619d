#!/usr/bin/env python3
"""Writes operators.inc: generate_operators.py SCHEMAS NATIVE_FUNCTIONS_YAML > operators.inc

SCHEMAS is the output of dump_schemas; NATIVE_FUNCTIONS_YAML is the framework's operator list (in
torchgen/packaged/ATen/native of the Python package of the same version). The schemas tell the
arguments, the yaml tells which kernels compare devices. What neither tells is in curated.py.
"""

import re
import sys

import curated

SIGNATURE = re.compile(r"aten::([\w]+)(?:\.([\w]+))?\((.*)\) -> (.*)$")


def split_list(text):
    """Splits at the commas that are outside of brackets and quotes."""
    parts, depth, quoted, start = [], 0, False, 0
    for i, c in enumerate(text):
        if c in "\"'":
            quoted = not quoted
        elif quoted:
            continue
        elif c in "([":
            depth += 1
        elif c in ")]":
            depth -= 1
        elif c == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    parts.append(text[start:].strip())
    return [part for part in parts if part]


class Argument:
    """One argument of a schema: `Tensor(a!)? name=default`."""

    def __init__(self, text, position, keyword_only):
        self.position = position
        self.keyword_only = keyword_only
        declaration = text.split("=")[0] if "=" in text else text
        self.type, self.name = declaration.rsplit(" ", 1)
        bare = re.sub(r"\([^)]*\)", "", self.type)
        self.is_tensor = bare.startswith("Tensor")
        self.is_list = self.is_tensor and "[" in bare
        self.is_optional = "?" in bare
        self.is_written = self.is_tensor and "!" in self.type
        self.is_view = self.is_tensor and "(" in self.type and "!" not in self.type
        self.is_out = self.is_written and keyword_only
        self.is_free = False


class Schema:
    """One overload."""

    def __init__(self, line):
        self.name, self.overload, arguments, returns = SIGNATURE.match(line).groups()
        self.overload = self.overload or ""
        self.arguments = []
        keyword_only = False
        for text in split_list(arguments):
            if text in ("*", "..."):
                keyword_only = True
                continue
            self.arguments.append(Argument(text, len(self.arguments), keyword_only))
        self.tensors = [a for a in self.arguments if a.is_tensor]
        for argument in self.tensors:
            argument.is_free = argument.name in curated.FREE_ARGUMENTS.get(self.name, ())
        self.outs = [a for a in self.tensors if a.is_out]
        self.operands = [a for a in self.tensors if not a.is_out and not a.is_free]
        self.set_returns(returns)

    def set_returns(self, returns):
        items = split_list(returns[1:-1]) if returns.startswith("(") else [returns]
        types = [re.sub(r"\([^)]*\)", "", item).split(" ")[0] for item in items]
        tensors = [t for t in types if t.startswith("Tensor") or t in ("t",)]
        self.result_count = len(tensors)
        self.returns_view = any(
            re.match(r"Tensor\(\w+(\|\w+)?\)", item) for item in items
        )
        if not items:
            self.result_kind = "kVoid"
        elif not tensors:
            self.result_kind = "kScalar"
        elif len(tensors) > 1:
            self.result_kind = "kTuple"
        else:
            self.result_kind = "kTensorList" if "[" in tensors[0] else "kTensor"

    def position(self, *names):
        for argument in self.arguments:
            if argument.name in names and not argument.is_tensor:
                return argument.position
        return -1

    def options_position(self):
        layout = self.position("layout")
        return layout - 1 if layout > 0 and self.position("pin_memory") == layout + 2 else -1

    def device_position(self):
        for argument in self.arguments:
            if argument.type.rstrip("?") == "Device":
                return argument.position
        return -1

    def self_position(self):
        for argument in self.tensors:
            if argument.name == "self" and not argument.is_out:
                return argument.position
        return -1

    def is_in_place(self):
        return any(a.is_written and not a.is_out for a in self.tensors)


class NativeFunctions:
    """What native_functions.yaml says of each overload; the file is regular enough to scan."""

    def __init__(self, text):
        self.blocks = {}
        for block in re.split(r"\n(?=- func:)", text):
            match = re.match(r"- func: ([\w.]+)", block)
            if match:
                self.blocks[match.group(1)] = block

    def block(self, schema):
        full = schema.name + ("." + schema.overload if schema.overload else "")
        return self.blocks.get(full, "")

    def has_cuda_kernel(self, block):
        delegate = re.search(r"structured_delegate: ([\w.]+)", block)
        if delegate:
            return self.has_cuda_kernel(self.blocks.get(delegate.group(1), ""))
        keys = re.findall(r"^    ([\w, ]+):", block, re.M)
        return any("CUDA" in re.split(r"[, ]+", line) for line in keys)

    def device_rule(self, schema):
        block = self.block(schema)
        check = re.search(r"device_check: NoCheck(.*)", block)
        if check and "TensorIterator" in check.group(1):
            return "kTensorIterator"
        if check:
            return "kNone"
        return "kExactSame" if self.has_cuda_kernel(block) else "kComposite"


def device_rule(schema, native):
    if schema.name in curated.DEVICE_RULES:
        return curated.DEVICE_RULES[schema.name]
    operands = sum(2 if a.is_list else 1 for a in schema.operands)
    if operands + len(schema.outs) < 2:
        return "kNone"
    return native.device_rule(schema)


def result_place(schema, rule):
    if schema.outs:
        return "kOut"
    if schema.name == "to" and schema.overload == "other":
        return "kOther"
    if schema.name in curated.RESULT_PLACES:
        return curated.RESULT_PLACES[schema.name]
    if schema.result_kind in ("kVoid", "kScalar"):
        return "kHost"
    if schema.is_in_place():
        return "kSelf"
    if schema.options_position() >= 0 or schema.device_position() >= 0:
        return "kOptionsOrSelf" if schema.tensors else "kOptions"
    if not schema.tensors:
        return "kOptions"
    if schema.self_position() >= 0 and rule in ("kNone", "kCopy", "kIndexing"):
        return "kSelf"
    return "kOperands"


def result_rank(schema, native, in_place_names):
    name = schema.name.removeprefix("special_")
    operands = len(schema.operands)
    if schema.result_kind not in ("kTensor", "kTuple"):
        return "kUnknown"
    if name in curated.REDUCTIONS:
        if operands > 1:
            return "kElementwise"
        return "kScalar" if schema.position("dim") < 0 else "kReduction"
    if schema.position("reduction") >= 0:
        return "kReduction"
    for rank, names in curated.RANKS.items():
        if name in names or schema.name in names:
            return rank
    if schema.is_in_place() or name.endswith("_like"):
        return "kSameAsSelf"
    if schema.position("size") >= 0 and not schema.operands:
        return "kFromSizes"
    if schema.position("size") >= 0 and name.startswith("new_"):
        return "kFromSizes"
    if name + "_" in in_place_names and name not in curated.RESHAPED_IN_PLACE:
        return "kElementwise" if operands > 1 else "kSameAsSelf"
    if schema.position("dim", "dims") < 0 and native.device_rule(schema) == "kTensorIterator":
        return "kElementwise"
    return "kUnknown"


def flags(argument):
    pairs = (("l", argument.is_list), ("o", argument.is_optional), ("w", argument.is_written))
    pairs += (("x", argument.is_out), ("f", argument.is_free))
    return "".join(letter for letter, is_set in pairs if is_set)


def arguments_key(schema):
    return tuple((a.name, a.position, flags(a)) for a in schema.tensors)


def row(schema, native, in_place_names):
    """All that a Signature tells, but the overload's name."""
    rule = device_rule(schema, native)
    return (
        arguments_key(schema),
        len(schema.arguments),
        rule,
        result_place(schema, rule),
        result_rank(schema, native, in_place_names),
        schema.result_kind,
        schema.result_count,
        schema.options_position(),
        schema.device_position(),
        schema.position("size", "shape"),
        schema.position("dim", "dims"),
    )


class Emitter:
    """Collects the three arrays; equal argument lists are shared."""

    def __init__(self, native, in_place_names):
        self.native = native
        self.in_place_names = in_place_names
        self.argument_lines = []
        self.argument_count = 0
        self.argument_index = {}
        self.signatures = []
        self.operators = []

    def argument_range(self, key):
        if not key:
            return "{}"
        if key not in self.argument_index:
            self.argument_index[key] = self.argument_count
            line = []
            for name, position, letters in key:
                marks = "".join(f", {letter in letters:d}" for letter in "lowxf")
                line.append(f'{{"{name}", {position}{marks}}},')
            self.argument_lines.append("    " + " ".join(line))
            self.argument_count += len(key)
        return f"arguments({self.argument_index[key]}, {len(key)})"

    def row(self, schema):
        return row(schema, self.native, self.in_place_names)

    def materiality(self, schema):
        """Puts first the overload that speaks for the operation: not out=, not only in scripts."""
        is_native = self.native.block(schema) != ""
        return (not schema.outs, is_native, len(schema.operands), schema.self_position() >= 0)

    def add_operator(self, name, schemas):
        rows = {}
        for schema in sorted(schemas, key=lambda s: "name" in s.overload.lower()):
            rows.setdefault(self.row(schema), schema)
        begin = len(self.signatures)
        for (key, count, rule, place, rank, kind, *numbers), schema in rows.items():
            enums = [f"Rule::{rule}", f"Place::{place}", f"Rank::{rank}", f"Kind::{kind}"]
            words = ", ".join([str(count)] + enums + [str(n) for n in numbers])
            overload = schema.overload
            self.signatures.append(
                f'    {{"{overload}", {self.argument_range(key)}, {words}}},  // {name}'
            )
        main = max(schemas, key=self.materiality)
        values = list(self.row(main))
        if name in curated.REDUCTIONS:
            values[4] = "kReduction"
        bools = (main.is_in_place(), main.returns_view and not main.is_in_place())
        last = f"{main.self_position()}, {bools[0]:d}, {bools[1]:d}"
        self.operators.append(
            f'    {{"{name}", signatures({begin}, {len(rows)}), Rule::{values[2]}, '
            f"Place::{values[3]}, Kind::{values[5]}, Rank::{values[4]}, {last}}},"
        )

    def print(self):
        print("// clang-format off")
        print("// Generated by generate_operators.py from the framework's schemas; do not edit.")
        print("\n// name, position, list, optional, written, out, free")
        print("constexpr TensorArgument kArguments[] = {")
        print("\n".join(self.argument_lines))
        print("};\n")
        print("constexpr std::span<const TensorArgument> arguments(int first, int count) {")
        print("  return std::span(kArguments).subspan(first, count);\n}\n")
        print("// overload, tensors, argument count, rule, place, rank, kind, result count,")
        print("// positions of options, device, sizes, dim")
        print("constexpr Signature kSignatures[] = {")
        print("\n".join(self.signatures))
        print("};\n")
        print("constexpr std::span<const Signature> signatures(int first, int count) {")
        print("  return std::span(kSignatures).subspan(first, count);\n}\n")
        print("// name, signatures, rule, place, kind, rank, self, in place, view")
        print("constexpr Operator kOperators[] = {")
        print("\n".join(self.operators))
        print("};")


def read_schemas(path):
    """Schemas by operator name: those that take or return tensors."""
    by_name = {}
    with open(path, encoding="utf-8") as lines:
        for line in list(lines) + curated.EXTRA_SCHEMAS:
            if "Tensor" not in line or "Dict(" in line:
                continue
            schema = Schema(line.strip())
            by_name.setdefault(schema.name, []).append(schema)
    return by_name


def check_curated_names(by_name):
    """A misspelt name in curated.py would say nothing of no operation."""
    names = [curated.DEVICE_RULES, curated.RESULT_PLACES, curated.FREE_ARGUMENTS]
    names += [curated.REDUCTIONS, curated.RESHAPED_IN_PLACE, *curated.RANKS.values()]
    unknown = sorted(set().union(*names) - set(by_name))
    if unknown:
        sys.exit("curated.py: no such operations: " + " ".join(unknown))


def main():
    by_name = read_schemas(sys.argv[1])
    with open(sys.argv[2], encoding="utf-8") as file:
        native = NativeFunctions(file.read())
    check_curated_names(by_name)
    emitter = Emitter(native, {name for name in by_name if name.endswith("_")})
    for name in sorted(by_name):
        emitter.add_operator(name, by_name[name])
    emitter.print()


if __name__ == "__main__":
    main()
