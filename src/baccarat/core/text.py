"""Text that people give us to print: one line, and nothing in it that acts without being seen."""

JOINERS = "\u200c\u200d"
"""ZWNJ and ZWJ: many scripts need them inside a word. Other invisible marks, such as those that
turn the direction of writing, are kept out."""


def is_printable_line(text: str) -> bool:
    """Can every character be printed, and is there anything to be seen?"""
    visible = text.translate(dict.fromkeys(map(ord, JOINERS)))
    return bool(visible.strip()) and visible.isprintable()
