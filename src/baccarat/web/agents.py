"""What a browser or program calls itself, in a few words that its owner recognises."""

import re

BROWSERS = (
    *(("Edg", "Edge"), ("OPR", "Opera"), ("SamsungBrowser", "Samsung Internet")),
    *(("Firefox", "Firefox"), ("FxiOS", "Firefox"), ("Chrome", "Chrome"), ("CriOS", "Chrome")),
    ("Safari", "Safari"),
)
"""Marks in the order in which they are looked for: most browsers also name others."""
SYSTEMS = (
    *(("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows")),
    *(("CrOS", "ChromeOS"), ("Mac OS X", "macOS"), ("Linux", "Linux")),
)
LONGEST = 40
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9._-]*")


def agent_of(header: str) -> str:
    """Of a User-Agent header: the browser and its system, or the first name in it."""
    header = header[:400]
    browser = next((name for mark, name in BROWSERS if mark in header), "")
    system = next((name for mark, name in SYSTEMS if mark in header), "")
    if browser:
        return f"{browser} on {system}" if system else browser
    found = _NAME.match(header)
    return found[0][:LONGEST] if found else "unknown"
