"""Finds definitions that nothing in the package uses.

A function, class or constant of a module counts as used when its own module mentions it outside
its definition, or when another module imports it or reads it from the imported module. A method or
property counts as used when any module or template mentions an attribute of that name. Functions
that a decorator of a framework registers are used by it.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from support.sources import PACKAGE, Definition, Source

PLAIN_DECORATORS = {
    *("property", "cached_property", "staticmethod", "classmethod", "override", "overload"),
    *("cache", "lru_cache", "dataclass", "total_ordering", "contextmanager", "asynccontextmanager"),
    *("wraps", "runtime_checkable", "unique", "compiled", "njit"),
}
"""Decorators that do not use what they decorate; all others are taken to register it."""


def dead_code(
    modules: Sequence[Source], users: Iterable[ast.Module] = (), templates: str = ""
) -> list[str]:
    """Return what nobody uses, as `core/cards.py: name` or `core/cards.py: Class.name`.

    `users` are other programs, whose own definitions are not looked at.
    """
    trees = [*(source.tree for source in modules), *users]
    imported = {used for tree in trees for used in _imports(tree)}
    for source in modules:  # what a module takes whole from another is that one's
        for whole in _taken_whole(source.tree):
            names = {*_names(source.tree), *(n for of, n in imported if of == source.module)}
            imported |= {(whole, name) for name in names}
    attributes = {name for tree in trees for name in _attributes(tree)}
    attributes |= set(re.findall(r"\w+", templates))
    dead = []
    for source in modules:
        local = set(_names(source.tree))
        for name, node in _module_level(source.tree):
            if not (name in local or (source.module, name) in imported or _registered(node)):
                dead.append(f"{source.path}: {name}")
        for name, node in _methods(source.tree):
            method = name.rpartition(".")[2]
            if not (method in attributes or _registered(node)):
                dead.append(f"{source.path}: {name}")
    return dead


def templates(package: Path = PACKAGE) -> str:
    """Return the text of all templates, which read attributes too."""
    found = [*package.rglob("templates/*")]
    return "\n".join(path.read_text(encoding="utf-8") for path in found if path.is_file())


def _imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield (module, name) for what a module imports, or reads from an imported module."""
    alias = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for name in node.names:
                yield node.module, name.name
                alias[name.asname or name.name] = f"{node.module}.{name.name}"
        elif isinstance(node, ast.Import):
            for name in node.names:
                alias[name.asname or name.name] = name.name
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in alias:
            yield alias[ast.unparse(node.value)], node.attr


def _taken_whole(tree: ast.Module) -> Iterator[str]:
    """Yield the modules from which a module imports everything."""
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module and node.names[0].name == "*":
            yield node.module


def _names(tree: ast.Module) -> Iterator[str]:
    """Yield the names that a module reads, except those read within their own definition."""
    for statement in tree.body:
        own = statement.name if isinstance(statement, Definition) else None
        exported = _targets(statement) == ["__all__"]
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                if node.id != own:
                    yield node.id
            elif isinstance(node, ast.Constant) and (exported or own) and node.value != own:
                yield from _quoted(node.value)


def _quoted(value: object) -> list[str]:
    """Return the name in a quoted annotation or in `__all__`."""
    return [value] if isinstance(value, str) and value.isidentifier() else []


def _attributes(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("getattr", "attrgetter"):
            yield from (arg.value for arg in node.args if isinstance(arg, ast.Constant))


def _module_level(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    for node in tree.body:
        names = [node.name] if isinstance(node, Definition) else _targets(node)
        yield from ((name, node) for name in names if not _special(name))


def _methods(tree: ast.Module) -> Iterator[tuple[str, Definition]]:
    for kind in ast.walk(tree):
        if isinstance(kind, ast.ClassDef):
            for node in kind.body:
                if isinstance(node, Definition) and not _special(node.name):
                    yield f"{kind.name}.{node.name}", node


def _targets(node: ast.stmt) -> list[str]:
    """Return the names that a statement assigns."""
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, ast.AnnAssign):
        targets = [node.target]
    names = (name for target in targets for name in ast.walk(target))
    return [name.id for name in names if isinstance(name, ast.Name)]


def _registered(node: ast.stmt) -> bool:
    decorators = node.decorator_list if isinstance(node, Definition) else []
    return any(_decorator(item) not in PLAIN_DECORATORS for item in decorators)


def _decorator(node: ast.expr) -> str:
    call = node.func if isinstance(node, ast.Call) else node
    return ast.unparse(call).rpartition(".")[2]


def _special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")
