"""The product's source code, parsed: its modules, definitions and uses of names."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "baccarat"
Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = Function | ast.ClassDef


@dataclass(frozen=True)
class Source:
    """One module of the package."""

    path: str
    """Relative to the package: `core/cards.py`."""
    text: str

    @property
    def module(self) -> str:
        """The dotted name: `baccarat.core.cards`."""
        parts = ["baccarat", *Path(self.path).with_suffix("").parts]
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    @property
    def tree(self) -> ast.Module:
        return _parsed(self.text)


@cache
def _parsed(text: str) -> ast.Module:
    return ast.parse(text)


def sources(package: Path = PACKAGE) -> list[Source]:
    return [
        Source(str(path.relative_to(package)), path.read_text(encoding="utf-8"))
        for path in sorted(package.rglob("*.py"))
    ]


def functions(tree: ast.AST, outer: str = "") -> Iterator[tuple[str, Function]]:
    """Yield every function of a module with its qualified name: `Class.method`."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, Definition):
            name = f"{outer}{child.name}"
            if isinstance(child, Function):
                yield name, child
            yield from functions(child, f"{name}.")
        else:
            yield from functions(child, outer)
