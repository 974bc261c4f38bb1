"""From the text of a file to nodes with places."""

from __future__ import annotations

import yaml

from trionfi.dsl.diagnostics import Diagnostics, declare_codes
from trionfi.dsl.nodes import Entry, Mapping, Node, Scalar, Sequence, Style
from trionfi.dsl.source import Source, Span

declare_codes({"yaml": "a ruleset is plain YAML"})

Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_text(source: Source, diagnostics: Diagnostics) -> Mapping | None:
    """The whole file as a mapping, or none if it is not even that."""
    try:
        root = yaml.compose(source.text, Loader=Loader)
    except yaml.MarkedYAMLError as error:
        at = error.problem_mark.index if error.problem_mark else 0
        diagnostics.error("yaml", f"{error.problem}", Span(source, at, at + 1))
        return None
    node = _node(root, source)
    return node if isinstance(node, Mapping) else None


def _node(node: yaml.Node, source: Source) -> Node:
    span = Span(source, node.start_mark.index, node.end_mark.index)
    if isinstance(node, yaml.MappingNode):
        entries = []
        for key, value in node.value:
            name = _node(key, source)
            assert isinstance(name, Scalar)
            entries.append(Entry(name, _node(value, source)))
        return Mapping(entries, span)
    if isinstance(node, yaml.SequenceNode):
        return Sequence([_node(item, source) for item in node.value], span)
    style: Style = node.style or ""
    return Scalar(node.value, style, span, _content(span, style))


def _content(span: Span, style: Style) -> Span:
    """Where the text of a scalar lies: within the quotes, or below the line of `|` or `>`."""
    if style in ("|", ">"):
        first = span.source.text.find("\n", span.start, span.end) + 1
        return Span(span.source, first or span.end, span.end)
    if style:
        return Span(span.source, span.start + 1, span.end - 1)
    return span
