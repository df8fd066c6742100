"""Checks the answer to a form against its restricted JSON Schema (contract, section 1).

Write only schemas of your own: this check knows each property kind of the contract, but not `pattern`, limits that are
excluded, `multipleOf`, choices of numbers, or references.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any, Optional
from urllib.parse import urlsplit

LARGEST_INTEGER = 2**53 - 1  # above this, JavaScript cannot hold each integer exactly


def check_content(schema: dict[str, Any], content: dict[str, Any]) -> list[dict[str, str]]:
    """What does not fit, as `{field, code, message}`; empty when all of it fits."""
    errors = []
    for name, kind in schema["properties"].items():
        if name not in content:
            code = "required" if name in schema.get("required", []) else None
        else:
            code = check_value(kind, content[name])
        if code is not None:
            errors.append(error(name, code))
    # What reaches a tool is what the person was asked, and nothing else.
    errors += [error(name, "unknown-field") for name in content if name not in schema["properties"]]
    return errors


def check_value(kind: dict[str, Any], value: Any) -> Optional[str]:
    """The code of the first rule that the value breaks."""
    type_ = kind.get("type")
    if type_ == "boolean":
        return None if isinstance(value, bool) else "type"
    if type_ in ("number", "integer"):
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return "type"
        return check_number(kind, value)
    if type_ == "array":
        if not isinstance(value, list):
            return "type"
        return check_choices(kind, value)
    if not isinstance(value, str):
        return "type"
    options = options_of(kind)
    if options is not None:
        return None if value in options else "not-an-option"
    return check_text(kind, value)


def check_number(kind: dict[str, Any], value: float) -> Optional[str]:
    if kind["type"] == "integer":
        if value != int(value):
            return "integer"
        if abs(value) > LARGEST_INTEGER:
            return "too-large" if value > 0 else "too-small"
    return check_range(value, kind.get("minimum"), kind.get("maximum"), ("too-small", "too-large"))


def check_text(kind: dict[str, Any], value: str) -> Optional[str]:
    format_ = kind.get("format")
    if format_ in FORMATS and not FORMATS[format_](value):
        return format_
    # Python counts code points, as the contract does.
    return check_range(len(value), kind.get("minLength"), kind.get("maxLength"), ("too-short", "too-long"))


def check_choices(kind: dict[str, Any], chosen: list[Any]) -> Optional[str]:
    options = options_of(kind.get("items", {})) or []
    if any(one not in options for one in chosen):
        return "not-an-option"
    if len(set(chosen)) < len(chosen):
        return "duplicate"
    return check_range(len(chosen), kind.get("minItems"), kind.get("maxItems"), ("too-few", "too-many"))


def options_of(kind: dict[str, Any]) -> Optional[list[str]]:
    """The values of an enum, plain or titled; `None` for free text."""
    if "enum" in kind:
        return kind["enum"]
    titled = kind.get("oneOf") or kind.get("anyOf")
    return None if titled is None else [option["const"] for option in titled]


def check_range(value: float, least: Any, most: Any, codes: tuple[str, str]) -> Optional[str]:
    if least is not None and value < least:
        return codes[0]
    return codes[1] if most is not None and value > most else None


def is_email(text: str) -> bool:
    return re.fullmatch(r"[^\s@]+@[^\s@.]+(\.[^\s@.]+)*", text) is not None


def is_uri(text: str) -> bool:
    try:
        return urlsplit(text).scheme != ""
    except ValueError:
        return False


def is_date(text: str) -> bool:
    return re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII) is not None and parses(text, "%Y-%m-%d")


def is_date_time(text: str) -> bool:
    match = re.fullmatch(r"(\S{10}T\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)", text, re.ASCII)
    return match is not None and parses(match.group(1), "%Y-%m-%dT%H:%M:%S")


def parses(text: str, form: str) -> bool:
    try:
        datetime.strptime(text, form)
    except ValueError:
        return False
    return True


FORMATS = {"email": is_email, "uri": is_uri, "date": is_date, "date-time": is_date_time}


def error(name: str, code: str) -> dict[str, str]:
    return {"field": name, "code": code, "message": f"does not fit: {code.replace('-', ' ')}"}
