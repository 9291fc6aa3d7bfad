"""The one reader of YAML: plain data, and the line of everything in it."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import yaml

from clawwrap import schema
from clawwrap.errors import AdapterError

TEXT = "tag:yaml.org,2002:str"
Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Document:
    """A YAML file as plain data, with the line of everything in it."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.lines: dict[schema.Path, int] = {}
        try:
            with open(path, "rb") as file:
                root = yaml.compose(file, Loader=Loader)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            problem = f"broken YAML: {error.problem or error.context}"
            raise AdapterError(path, mark.line + 1 if mark else 0, "", problem) from error
        except (yaml.YAMLError, UnicodeDecodeError) as error:
            problem = "broken YAML: " + " ".join(str(error).split())
            raise AdapterError(path, 0, "", problem) from error
        except OSError as error:
            raise AdapterError(path, 0, "", f"cannot be read: {error.strerror}") from error
        self.data: Any = {} if root is None else self._build(root, (), frozenset())

    def _build(self, node: yaml.Node, at: schema.Path, above: frozenset[int]) -> Any:
        self.lines.setdefault(at, node.start_mark.line + 1)
        if id(node) in above:
            raise self.error(at, "an alias must not contain itself")
        above |= {id(node)}
        if isinstance(node, yaml.MappingNode):
            built: dict[Hashable, Any] = {}
            for key_node, value_node in node.value:
                key = self._scalar(key_node, at)
                here = (*at, key)
                self.lines[here] = key_node.start_mark.line + 1
                if key in built:
                    raise self.error(here, f"the key {schema.shown(key)} stands here twice")
                built[key] = self._build(value_node, here, above)
            return built
        if isinstance(node, yaml.SequenceNode):
            return [self._build(item, (*at, i), above) for i, item in enumerate(node.value)]
        return self._scalar(node, at)

    def _scalar(self, node: yaml.Node, at: schema.Path) -> Any:
        if not isinstance(node, yaml.ScalarNode):
            raise self.error(at, "a key must be a plain word")
        if node.tag == TEXT:
            return node.value  # most of them; the constructor of the rest is slow to make
        try:
            value = yaml.SafeLoader("").construct_object(node)
        except (ValueError, yaml.YAMLError) as error:
            raise self.error(at, f"cannot be read: {error}") from error
        return value if isinstance(value, (str, int, float, bool, type(None))) else node.value

    def error(self, at: schema.Path, problem: str, suggestion: str = "") -> AdapterError:
        place = schema.Problem(at, "").place
        line = next(self.lines[at[:n]] for n in range(len(at), -1, -1) if at[:n] in self.lines)
        return AdapterError(self.path, line, place, problem, suggestion)

    def check(self, shape: schema.Schema) -> None:
        for problem in schema.problems(self.data, shape):
            raise self.error(problem.path, problem.message)
