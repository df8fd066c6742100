"""What the model reads when a tool did not get what it asked for, word for word (contract, sections 2 and 5)."""

from __future__ import annotations

from typing import Any, Optional


def connection_refused(outcome: str, tool: str, service: str, seconds: float, reason: Optional[str]) -> str:
    missing = "Authentication required but not provided"
    if outcome == "unsupported":
        return (
            f'{missing}. Tool "{tool}" requires user authentication: the user needs to connect their {service} '
            "account before this tool can be used. Do not retry this tool."
        )
    if outcome == "declined":
        return (
            f"{missing}: the user declined to connect {service}. "
            "Do not ask again in this turn; say what is missing and how to connect it."
        )
    if outcome == "failed":
        return f"{missing}: connecting {service} failed ({reason})."
    return f"{missing}: {common(outcome, seconds)}"


def information_refused(
    outcome: str, tool: str, schema: dict[str, Any], seconds: float, reason: Optional[str]
) -> str:
    missing = "The information was not provided"
    if outcome == "unsupported":
        fields = ", ".join(kind.get("title", name) for name, kind in schema["properties"].items())
        return (
            f'Tool "{tool}" needs information only the user has: {fields}. '
            "Ask for it in your answer, or go on with defaults where they exist. Do not guess."
        )
    if outcome == "declined":
        return f"{missing}: the user declined to give it. Do not ask again in this turn; say what is missing."
    if outcome == "failed":
        return f"{missing}: asking for it failed ({reason})."
    return f"{missing}: {common(outcome, seconds)}"


def common(outcome: str, seconds: float) -> str:
    if outcome == "withdrawn":
        return "the request was withdrawn."
    if outcome == "expired":
        return f"nobody answered within {duration(seconds)}."
    return "the user dismissed the request without deciding. Do not ask again in this turn; you may offer it later."


def duration(seconds: float) -> str:
    count, unit = (round(seconds / 60), "minute") if seconds >= 60 and seconds % 60 == 0 else (round(seconds), "second")
    return f"{count} {unit}{'' if count == 1 else 's'}"
