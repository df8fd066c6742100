"""The requests of the server: asking, answering, and how each request ends (contract, sections 1, 4 and 5).

A request has one record, and the record is the truth. Each change of a record happens under one lock, so of two
answers at the same moment one wins and the other is told so.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import secrets
import threading
import time
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any, Optional

from forms import check_content

EXPIRES_IN_S = 10 * 60
KEEP_ENDED_S = 24 * 60 * 60
SWEEP_EVERY_S = 2 * 60
MAX_RECORDS = 10_000
MAX_OPEN_PER_PERSON = 50

TICKET_MS = 60_000
CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")

LOOK_UPS = 3
LOOK_UP_INTERVAL_S = 0.5

OUTCOME_OF = {"accept": "accepted", "decline": "declined", "cancel": "cancelled"}
ID = re.compile(r"(?!\.+\Z)[A-Za-z0-9_.~-]+")

JSON = dict[str, Any]


@dataclass
class Record:
    """One request. It never holds what the person typed, only a digest that recognises the same answer."""

    request: JSON
    turn: Any
    user_id: str
    conversation_id: str
    created_at: float
    expires_at: float
    status: str = "pending"  # pending, consented, or an outcome
    last_error: Optional[str] = None
    reason: Optional[str] = None
    ended_at: Optional[float] = None
    digest: Optional[bytes] = None
    content: JSON = field(default_factory=dict)  # only until the tool has read it
    vouch_key: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    done: threading.Event = field(default_factory=threading.Event)

    @property
    def has_ended(self) -> bool:
        return self.status not in ("pending", "consented")


class Elicitations:
    def __init__(self) -> None:
        self._records: dict[str, Record] = {}
        self._lock = threading.RLock()
        self._swept_at = time.time()
        # Without a key, the digest of a short answer (a PIN) could be found by trying all of them.
        self._digest_key = secrets.token_bytes(32)

    # Asking

    def ask(self, turn: Any, questions: list[JSON]) -> list[Record]:
        """Opens requests at the same time and waits until each has ended."""
        records = [self._open(turn, question) for question in questions]
        for record in records:
            # The answer, the page outside, a stop or a new message wake this up; otherwise time runs out.
            record.done.wait(max(0, record.expires_at - time.time()))
            self._expire_if_due(record)
            record.done.wait()
        return records

    def _open(self, turn: Any, question: JSON) -> Record:
        now = time.time()
        question = dict(question)
        expires_at = now + question.pop("expires_in_s", EXPIRES_IN_S)
        elicitation_id = secrets.token_urlsafe(16)  # 128 bits, 22 characters
        if callable(question.get("url")):
            question["url"] = question["url"](elicitation_id)
        request = {
            "type": "elicitation-request",
            "elicitationId": elicitation_id,
            **question,
            "expiresAt": timestamp(expires_at),
        }
        record = Record(request, turn, turn.user_id, turn.conversation_id, now, expires_at)
        with self._lock:
            self._sweep(now)
            open_ones = [r for r in self._records.values() if r.user_id == turn.user_id and not r.has_ended]
            if len(open_ones) >= MAX_OPEN_PER_PERSON or len(self._records) >= MAX_RECORDS:
                record.status, record.reason = "failed", "too many requests are open already"
                record.done.set()
                return record
            self._records[elicitation_id] = record
            self._publish(record)
            if turn.is_stopped:
                self._end(record, "withdrawn")
        return record

    # Answering: returns the HTTP status and the JSON body of the reply

    def answer(self, user_id: str, conversation_id: str, answer: JSON) -> tuple[int, JSON]:
        elicitation_id, action = answer["elicitationId"], answer["action"]
        digest = self._digest(elicitation_id, answer.get("content", {}))
        for look_up in range(1, LOOK_UPS + 1):
            with self._lock:
                record = self._find(elicitation_id, user_id)
                if record is None or record.conversation_id != conversation_id:
                    return problem(404, "There is no such elicitation.")
                if record.has_ended:
                    return self._reply_to_late(record, action, digest)
                if action != "accept":
                    return self._settle(record, OUTCOME_OF[action])
                if record.request["mode"] == "form":
                    return self._accept_form(record, answer.get("content", {}), digest)
                if record.request.get("acceptMeans") == "consent":
                    return self._consent(record)
                last_error = record.last_error
            # The accept says that the page is done. Only the server's own knowledge counts: complete() ends the
            # record. It may be on its way, so look a few times before saying "not yet".
            if look_up < LOOK_UPS:
                time.sleep(LOOK_UP_INTERVAL_S)
        body = {"success": True, "elicitationId": elicitation_id, "status": "pending"}
        return 202, {**body, "lastError": last_error} if last_error is not None else body

    def _settle(self, record: Record, outcome: str) -> tuple[int, JSON]:
        self._end(record, outcome)
        return 200, {"success": True, "elicitationId": record.request["elicitationId"], "outcome": outcome}

    def _accept_form(self, record: Record, content: JSON, digest: bytes) -> tuple[int, JSON]:
        errors = check_content(record.request["requestedSchema"], content)
        if errors:
            return problem(400, "Some fields do not fit. The request is still open.", errors=errors)
        record.content, record.digest = content, digest
        return self._settle(record, "accepted")

    def _consent(self, record: Record) -> tuple[int, JSON]:
        if record.status != "consented":
            record.status, record.last_error = "consented", None
            self._publish(record)
        elicitation_id = record.request["elicitationId"]
        return 200, {"success": True, "elicitationId": elicitation_id, "status": "consented"}

    def _reply_to_late(self, record: Record, action: str, digest: bytes) -> tuple[int, JSON]:
        """The same answer again is fine; any other answer comes too late."""
        elicitation_id, outcome = record.request["elicitationId"], record.status
        if OUTCOME_OF[action] != outcome:
            if outcome == "expired":
                return problem(410, "This request was not answered in time.", outcome=outcome)
            return problem(409, f"This request has already ended: {outcome}.", outcome=outcome)
        if record.digest is not None and not hmac.compare_digest(record.digest, digest):
            detail = "This request was already answered, with other content."
            return problem(409, detail, code="content-differs")
        ack = {"success": True, "elicitationId": elicitation_id, "outcome": outcome}
        return 200, {**ack, "alreadyProcessed": True}

    # The world outside the chat: your connect page calls these (contract, section 6)

    def complete(self, elicitation_id: str) -> bool:
        """The page is done: that is an accept, whether or not the chat ever says so."""
        with self._lock:
            record = self._records.get(elicitation_id)
            return record is not None and self._end(record, "accepted")

    def fail(self, elicitation_id: str, last_error: str) -> bool:
        """The page failed. The request stays open and the person may try again."""
        with self._lock:
            record = self._records.get(elicitation_id)
            if record is None or record.has_ended:
                return False
            record.status, record.last_error = "pending", last_error
            self._publish(record)
            return True

    def withdraw(self, turn: Any) -> None:
        """The turn is over: nobody needs its answers any more."""
        with self._lock:
            for record in list(self._records.values()):
                if record.turn is turn:
                    self._end(record, "withdrawn")

    def ticket(self, elicitation_id: str, user_id: str, challenge: Any) -> tuple[int, JSON]:
        """Proves to the connect page that its visitor has this person's chat open (contract, section 6)."""
        if not isinstance(challenge, str) or not CHALLENGE.fullmatch(challenge):
            return problem(400, "challenge must be the 43 characters that the page has sent.")
        with self._lock:
            record = self._find(elicitation_id, user_id)
            if record is None:
                return problem(404, "There is no such elicitation.")
            if record.has_ended:
                return problem(409, f"This request has already ended: {record.status}.", outcome=record.status)
            expires = int(time.time() * 1000) + TICKET_MS
            said = f"bind\n{elicitation_id}\n{expires}\n{challenge}".encode()
            mac = base64.urlsafe_b64encode(hmac.digest(record.vouch_key, said, hashlib.sha256))
            ticket = f"{expires}.{mac.decode().rstrip('=')}"
            return 200, {"success": True, "elicitationId": elicitation_id, "ticket": ticket}

    # Reading

    def status(self, elicitation_id: str, user_id: str) -> tuple[int, JSON]:
        with self._lock:
            record = self._find(elicitation_id, user_id)
            if record is None:
                return problem(404, "There is no such elicitation.")
            report = {
                "elicitationId": elicitation_id,
                "status": record.status,
                "expiresAt": timestamp(record.expires_at),
                "now": timestamp(time.time()),
            }
            if record.last_error is not None and not record.has_ended:
                report["lastError"] = record.last_error
            return 200, report

    def open_requests(self, conversation_id: str, user_id: str) -> list[JSON]:
        """Oldest first."""
        with self._lock:
            return [
                current_request(record)
                for record in list(self._records.values())
                if record.user_id == user_id
                and record.conversation_id == conversation_id
                and not self._expire_if_due(record)
                and not record.has_ended
            ]

    # Records

    def _find(self, elicitation_id: str, user_id: str) -> Optional[Record]:
        """Another person's request is not there: the replies must not tell that it exists."""
        record = self._records.get(elicitation_id)
        if record is None or record.user_id != user_id:
            return None
        self._expire_if_due(record)
        return record

    def _expire_if_due(self, record: Record) -> bool:
        return time.time() >= record.expires_at and self._end(record, "expired")

    def _end(self, record: Record, outcome: str) -> bool:
        """The first end counts. Its chunk is on the stream before the tool goes on."""
        with self._lock:
            if record.has_ended:
                return False
            record.status, record.ended_at = outcome, time.time()
            self._publish(record)
            record.done.set()
            return True

    def _publish(self, record: Record) -> None:
        request = current_request(record)
        record.turn.write({"type": "data-elicitation-request", "id": request["elicitationId"], "data": request})

    def _sweep(self, now: float) -> None:
        if now - self._swept_at < SWEEP_EVERY_S:
            return
        self._swept_at = now
        for elicitation_id, record in list(self._records.items()):
            if record.ended_at is not None and now - record.ended_at > KEEP_ENDED_S:
                del self._records[elicitation_id]

    def _digest(self, elicitation_id: str, content: JSON) -> bytes:
        return hmac.digest(self._digest_key, f"{elicitation_id}\n{canonical(content)}".encode(), hashlib.sha256)


def current_request(record: Record) -> JSON:
    """The request as it goes over the wire now: with its progress, or with its end."""
    if record.ended_at is not None:
        resolution = {"outcome": record.status, "at": timestamp(record.ended_at)}
        return {**record.request, "resolution": resolution}
    if record.last_error is not None:
        return {**record.request, "progress": {"status": "pending", "lastError": record.last_error}}
    if record.status == "consented":
        return {**record.request, "progress": {"status": "consented"}}
    return record.request


def canonical(content: JSON) -> str:
    """The same text for the same content: keys sorted, numbers by value, lists in their order."""

    def by_value(value: Any) -> Any:
        return int(value) if isinstance(value, float) and value.is_integer() else value

    return json.dumps({key: by_value(value) for key, value in content.items()}, sort_keys=True)


def read_answer(value: Any) -> tuple[Optional[JSON], str]:
    """The answer in a body or in a message part: `(answer, "")`, or `(None, reason)` when it is malformed."""
    if not isinstance(value, dict):
        return None, "An answer is an object."
    elicitation_id, action, content = value.get("elicitationId"), value.get("action"), value.get("content")
    if not isinstance(elicitation_id, str) or not ID.fullmatch(elicitation_id):
        return None, "elicitationId is missing or malformed."
    if action not in ("accept", "decline", "cancel"):
        return None, "action must be accept, decline or cancel."
    answer = {"elicitationId": elicitation_id, "action": action}
    if "content" not in value:
        return answer, ""
    if action != "accept":
        return None, "Only an accept has content."
    if not isinstance(content, dict) or not all(map(is_content_value, content.values())):
        return None, "content must hold strings, numbers, booleans or lists of strings."
    return {**answer, "content": content}, ""


def is_content_value(value: Any) -> bool:
    if isinstance(value, list):
        return all(isinstance(entry, str) for entry in value)
    if isinstance(value, int) and not isinstance(value, bool):
        return abs(value) <= 2**1023  # larger ones are infinite to JavaScript
    return isinstance(value, (str, float, bool))


TITLES = {
    400: "Bad request",
    401: "Not signed in",
    403: "Forbidden",
    404: "Not found",
    409: "Already ended",
    410: "Expired",
    413: "Too large",
    415: "Unsupported media type",
    429: "Too many requests",
    500: "Server error",
}


def problem(status: int, detail: str, **members: Any) -> tuple[int, JSON]:
    """A refusal: problem+json (RFC 9457)."""
    return status, {"title": TITLES[status], "status": status, "detail": detail, **members}


def timestamp(seconds: float) -> str:
    """RFC 3339 with milliseconds, in UTC."""
    at = datetime.fromtimestamp(seconds, timezone.utc)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
