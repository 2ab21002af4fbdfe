# SPDX-License-Identifier: MIT
"""Writes the explaining copies of the methods: every expression that a query computes is wrapped in shown<ID>() (shown.hpp),
which records its value, and places.json says of each ID where it stands. The headers themselves stay as they are.

Usage: instrument.py ROOT OUT PLACES --x86_64 HEADER... --simd128 HEADER...

HEADER is a path from ROOT, such as methods/pext/pext.hpp; OUT is the folder that gets the copies, PLACES the file of places.

Shown are binary operations, ~ and -, calls, members, subscripts and compound assignments, of integers of 8 to 64 bits and of
vectors, in the functions that bishop(), rook() or queen() lead to and that return something; what is constant is not. Types in
tables that may be pointers are wrapped in Laid<>, so that records have the layout of x86-64.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

from clang import cindex
from clang.cindex import CursorKind as Kind
from clang.cindex import TypeKind

FUNCTIONS = {Kind.FUNCTION_DECL, Kind.CXX_METHOD, Kind.FUNCTION_TEMPLATE, Kind.CONVERSION_FUNCTION}
INTEGERS = {TypeKind.CHAR_S, TypeKind.SCHAR, TypeKind.UCHAR, TypeKind.SHORT, TypeKind.USHORT, TypeKind.INT, TypeKind.UINT,
            TypeKind.LONG, TypeKind.ULONG, TypeKind.LONGLONG, TypeKind.ULONGLONG}  # fmt: skip
VECTORS = {TypeKind.VECTOR, TypeKind.EXTVECTOR}
DEPENDENT = {TypeKind.DEPENDENT, TypeKind.UNEXPOSED, TypeKind.AUTO}  # of templates: shown() finds out what it is
SCOPES = {Kind.NAMESPACE, Kind.STRUCT_DECL, Kind.CLASS_DECL, Kind.CLASS_TEMPLATE, Kind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION}
BLOCKS = {Kind.COMPOUND_STMT, Kind.FOR_STMT, Kind.WHILE_STMT, Kind.DO_STMT, Kind.IF_STMT, Kind.CXX_FOR_RANGE_STMT}
YIELDS_BOOL = {"==", "!=", "<", "<=", ">", ">=", "&&", "||"}
# What a table may have as elements, where it may be a pointer.
IN_TABLES = rb"(?:\bTable<(?=[^<>,]+\*,)|= (?=std::invoke_result_t))([^<>,]+\*|std::invoke_result_t<[^<>]+>)"
# What every method stands on, and no query of it computes.
NOT_SHOWN = {"methods/method.hpp", "methods/table.hpp", "methods/batch.hpp", "methods/vector_loads.hpp", "methods/reference.hpp"}
FLAGS = {"x86_64": ["-include", "immintrin.h"], "simd128": ["-msimd128"]}


def parse(root, headers, flags):
    """One translation unit of all the headers. Error: they do not compile."""
    resources = subprocess.run(["clang++", "-print-resource-dir"], capture_output=True, text=True, check=True).stdout.strip()
    arguments = ["--target=wasm32-wasi", "-std=c++20", "-resource-dir", resources, f"-I{root}/extras/web/atlas/soft", f"-I{root}",
                 "-DSLIDEBENCH_TRACED", *flags]  # fmt: skip
    text = "".join(f'#include "{header}"\n' for header in headers)
    unit = cindex.Index.create().parse("methods.cpp", args=arguments, unsaved_files=[("methods.cpp", text)])
    for fault in unit.diagnostics:
        if fault.severity >= cindex.Diagnostic.Error:
            print(f"instrument.py: {fault.location.file}:{fault.location.line}: {fault.spelling}", file=sys.stderr)
            sys.exit(2)
    return unit


def children(node):
    """The children of a cursor, a list."""
    return list(node.get_children())


class Source:
    """A header: its text, the expressions to wrap in it, by (start, end) in bytes, with the cursor and function of each, and the
    spans of types that may be pointers."""

    def __init__(self, root, name):
        self.name, self.text = name, (root / name).read_bytes()
        self.wrapped = {}
        self.pointers = {found.span(1) for found in re.finditer(IN_TABLES, self.text)}

    def of(self, node):
        """The text of a cursor, with single spaces and without comments."""
        return self.between(node.extent.start.offset, node.extent.end.offset)

    def between(self, start, end):
        """The same of a range of bytes."""
        text = re.sub(r"//[^\n]*", "", self.text[start:end].decode())
        return " ".join(text.split())

    def written(self, numbers):
        """The copy, in which expressions are wrapped, each with its ID of `numbers`, and pointers."""
        before = {span: "Laid<" for span in self.pointers} | {span: f"shown<{number}>(" for span, number in numbers.items()}
        at = {}
        for (start, end), text in sorted(before.items(), key=lambda entry: (entry[0][0], -entry[0][1])):
            at.setdefault(start, ["", ""])[1] += f"::slidebench::atlas::{text}"
            at.setdefault(end, ["", ""])[0] += ">" if text == "Laid<" else ")"
        parts, last = [], 0
        for offset, (closed, opened) in sorted(at.items()):
            parts += [self.text[last:offset].decode(), closed, opened]
            last = offset
        return "".join(parts) + self.text[last:].decode()


def declarations(node, root, sources):
    """(source, cursor) of all that is declared below `node` and stands in methods/, in namespaces and classes."""
    for child in children(node):
        file = child.location.file
        name = os.path.relpath(file.name, root) if file else ""
        if not name.startswith("methods/") or name in NOT_SHOWN:
            continue
        yield sources.setdefault(name, Source(root, name)), child
        if child.kind in SCOPES:
            yield from declarations(child, root, sources)


def is_function(cursor):
    """Whether it is a function that is defined here and returns something."""
    has_body = cursor.kind in FUNCTIONS and any(part.kind == Kind.COMPOUND_STMT for part in children(cursor))
    return has_body and cursor.result_type.kind != TypeKind.VOID


def wrap_pointer(source, cursor):
    """Notes the type of a member, or of an alias, that is a pointer."""
    if cursor.kind == Kind.FIELD_DECL and cursor.type.get_canonical().kind == TypeKind.POINTER:
        source.pointers.add((cursor.extent.start.offset, cursor.location.offset))
    if cursor.kind == Kind.TYPE_ALIAS_DECL and cursor.underlying_typedef_type.get_canonical().kind == TypeKind.POINTER:
        source.pointers.add((source.text.index(b"=", cursor.extent.start.offset) + 1, cursor.extent.end.offset))


def asked(functions):
    """Those of the functions that the queries lead to, by the names that stand in their bodies, and those in tables."""
    words, left = {}, {b"bishop", b"rook", b"queen"}
    for source, function in functions:
        called = set(re.findall(rb"\w+", source.text[function.extent.start.offset : function.extent.end.offset]))
        words.setdefault(name_of(function).encode(), set()).update(called)
        left |= set(re.findall(rb"&(\w+)<", source.text))
    reached = set()
    while left:
        reached |= left
        left = set().union(*(words.get(name, set()) for name in left)) & words.keys() - reached
    return [(source, function) for source, function in functions if name_of(function).encode() in reached]


def name_of(function):
    """Of a conversion the name of the class, which is what stands where it is called."""
    return (function.semantic_parent if function.kind == Kind.CONVERSION_FUNCTION else function).spelling


def is_constant(node):
    """Whether nothing in an expression depends on what is asked."""
    if node.kind in (Kind.CALL_EXPR, Kind.MEMBER_REF_EXPR, Kind.CXX_THIS_EXPR):
        return False
    if node.kind == Kind.DECL_REF_EXPR and node.referenced is not None:
        to = node.referenced
        if to.kind == Kind.PARM_DECL or (to.kind == Kind.VAR_DECL and to.semantic_parent.kind in FUNCTIONS):
            return False
    return all(is_constant(child) for child in children(node))


class Wrapper:
    """Finds what is to be wrapped in one function."""

    def __init__(self, source, function):
        self.source, self.function = source, function.spelling
        for part in children(function):
            if part.kind == Kind.COMPOUND_STMT:
                self.visit(part, is_value=False)

    def visit(self, node, is_value=True):
        """Wraps a cursor and those below it; `is_value`: what it computes is used, and not as a place to write to."""
        if is_value and self.is_shown(node):
            span = (node.extent.start.offset, node.extent.end.offset)
            self.source.wrapped.setdefault(span, (node, self.function))
        below = children(node)
        for i, child in enumerate(below):
            no_value = i == 0 and self.is_no_value(node, child)
            maybe_void = child.kind == Kind.CALL_EXPR and child.type.kind in DEPENDENT and node.kind in BLOCKS
            self.visit(child, child.kind.is_expression() and not no_value and not maybe_void)

    def is_no_value(self, node, first):
        """Whether the first operand is written to, or is the function that is called."""
        if node.kind == Kind.COMPOUND_ASSIGNMENT_OPERATOR or self.operator(node) == "=":
            return True
        if node.kind == Kind.UNARY_OPERATOR:
            return re.match(r"\+\+|--|&", self.source.of(node)) is not None or self.source.of(node).endswith(("++", "--"))
        return node.kind == Kind.CALL_EXPR and self.source.text[first.extent.end.offset :].lstrip()[:1] == b"("

    def operator(self, node):
        """The operator of a binary operation, else "". libclang 14 tells it to C alone."""
        below = children(node)
        if node.kind != Kind.BINARY_OPERATOR or len(below) != 2:
            return ""
        return self.source.between(below[0].extent.end.offset, below[1].extent.start.offset).strip("() ")

    def is_shown(self, node):
        """Whether an expression is one of those that are wrapped."""
        kind, type_ = node.type.get_canonical().kind, node.type.get_canonical()
        if kind not in INTEGERS and kind not in VECTORS and kind not in DEPENDENT or is_constant(node):
            return False
        if self.source.text[node.extent.start.offset :].startswith(b"&"):
            return False
        if kind in VECTORS and type_.get_size() not in (16, 32, 64):
            return False
        if node.kind == Kind.BINARY_OPERATOR:
            return self.operator(node) not in {"", "=", ","} | YIELDS_BOOL
        if node.kind == Kind.UNARY_OPERATOR:
            return re.match(r"~|-[^-]", self.source.of(node)) is not None
        if node.kind == Kind.CALL_EXPR:
            return node.referenced is None or node.referenced.kind != Kind.CONSTRUCTOR
        return node.kind in (Kind.MEMBER_REF_EXPR, Kind.ARRAY_SUBSCRIPT_EXPR, Kind.COMPOUND_ASSIGNMENT_OPERATOR)


def place(source, span, node, function):
    """A place, as places.json has it."""
    line = source.text.count(b"\n", 0, span[0]) + 1
    column = span[0] - source.text.rfind(b"\n", 0, span[0])
    return {"file": source.name, "line": line, "column": column, "function": function, "text": source.between(*span),
            "type": node.type.spelling}  # fmt: skip


def main():
    """See above."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("places", type=pathlib.Path)
    for name in FLAGS:
        parser.add_argument(f"--{name}", nargs="*", default=[])
    options = parser.parse_args()
    sources, units = {}, []
    for name, flags in FLAGS.items():
        units.append(parse(options.root, getattr(options, name), flags))  # which must live as long as its cursors
        found = list(declarations(units[-1].cursor, options.root, sources))
        for source, function in asked([(source, cursor) for source, cursor in found if is_function(cursor)]):
            Wrapper(source, function)
        for source, cursor in found:
            wrap_pointer(source, cursor)
    places = []
    for _, source in sorted(sources.items()):
        numbers = {}
        for span, (node, function) in sorted(source.wrapped.items()):
            numbers[span] = len(places)
            places.append(place(source, span, node, function))
        copy = options.out / source.name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(source.written(numbers))
    options.places.write_text("[\n" + ",\n".join(map(json.dumps, places)) + "\n]\n")


if __name__ == "__main__":
    main()
