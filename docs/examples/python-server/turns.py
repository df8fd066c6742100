"""Turns: one run of the agent for one message, as a log that any number of readers follow (contract, section 3)."""

from __future__ import annotations

import secrets
import threading
import traceback
from typing import Any, Callable, Iterator, Optional

from elicitations import Elicitations, Record
from texts import connection_refused, information_refused

JSON = dict[str, Any]

# Refusals that hold for the rest of the turn: the tool gets the same result again, without asking.
REFUSALS = ("declined", "cancelled", "expired")


class AccountNeeded(Exception):
    """A tool needs an account that this chat cannot be asked for. The message is for the model."""


class TurnStopped(Exception):
    """Ends the agent of a turn that was stopped."""


class Turn:
    """What the agent works with. It writes chunks of a UI message stream and asks the person."""

    def __init__(
        self,
        elicitations: Elicitations,
        user_id: Optional[str],
        conversation_id: str,
        messages: list[Any],
        supports: set[str],
    ) -> None:
        self.id = secrets.token_urlsafe(16)
        self.user_id = user_id
        self.conversation_id = conversation_id
        self.messages = messages
        # Without a person there is nobody to ask.
        self.supports = supports if user_id is not None else set()
        self.is_stopped = False
        self._elicitations = elicitations
        self._refused: dict[tuple[str, str], Record] = {}
        self._log: list[JSON] = []
        self._has_ended = False
        self._changed = threading.Condition()

    # The log

    def write(self, chunk: JSON) -> None:
        with self._changed:
            if not self._has_ended:
                self._log.append(chunk)
                self._changed.notify_all()

    def read(self, silence_s: float) -> Iterator[Optional[JSON]]:
        """Every chunk from the start of the turn to its end; `None` whenever nothing came for so long."""
        at = 0
        while True:
            with self._changed:
                if at == len(self._log) and not self._has_ended:
                    self._changed.wait(silence_s)
                news, has_ended = self._log[at:], self._has_ended
            at += len(news)
            yield from news or ([] if has_ended else [None])
            if has_ended and at == len(self._log):
                return

    # Running

    def run(self, agent: Callable[["Turn"], Iterator[JSON]]) -> None:
        """Runs the agent to its end, or until the turn is stopped."""
        self.write({"type": "start", "messageId": self.id})
        last: JSON = {"type": "finish"}
        try:
            for chunk in agent(self):
                if self.is_stopped:
                    raise TurnStopped
                self.write(chunk)
        except TurnStopped:
            last = {"type": "abort"}
        except Exception:
            traceback.print_exc()  # for the operator's log: the person is told nothing of what is inside
            last = {"type": "error", "errorText": "The assistant could not finish its answer."}
        self.write(last)
        with self._changed:
            self._has_ended = True
            self._changed.notify_all()

    def stop(self) -> None:
        """Withdraws the open requests, which wakes the agent up, and ends the turn with `abort`."""
        self.is_stopped = True
        self._elicitations.withdraw(self)

    # Asking

    def ask(self, tool: str, *questions: JSON) -> tuple[JSON, Optional[str]]:
        """Asks the person, several questions at the same time, and waits.

        Returns the contents of the answers in one object, and what the tool has to tell the model when it did not get
        them all. Raises AccountNeeded when the chat cannot be asked for an account.
        """
        unsupported = [question for question in questions if question["mode"] not in self.supports]
        if unsupported:
            return {}, self._unsupported(tool, unsupported[0])
        for question in questions:
            refused = self._refused.get((tool, question["mode"]))
            if refused is not None:
                return {}, refusal_text(tool, question, refused)
        contents: JSON = {}
        text = None
        records = self._elicitations.ask(self, list(questions))
        if self.is_stopped:
            raise TurnStopped
        for question, record in zip(questions, records):
            if record.status == "accepted":
                contents.update(record.content)
                record.content = {}
                continue
            if record.status in REFUSALS:
                self._refused[tool, question["mode"]] = record
            text = text or refusal_text(tool, question, record)
        return contents, text

    def _unsupported(self, tool: str, question: JSON) -> str:
        if question["mode"] == "form":
            return information_refused("unsupported", tool, question["requestedSchema"], 0, None)
        text = connection_refused("unsupported", tool, question["service"]["name"], 0, None)
        notice = {
            "type": "data-tool-auth-required",
            "toolCallId": question["toolCallId"],
            "toolName": tool,
            "toolId": question["service"]["name"],
            "mcpServerName": question["service"]["name"],
            "message": question["message"],
        }
        # For clients that cannot ask but can show what is missing.
        self.write({"type": "data-tool-auth-required", "data": notice})
        raise AccountNeeded(text)


def refusal_text(tool: str, question: JSON, record: Record) -> str:
    seconds = record.expires_at - record.created_at
    if question["mode"] == "form":
        return information_refused(record.status, tool, question["requestedSchema"], seconds, record.reason)
    return connection_refused(record.status, tool, question["service"]["name"], seconds, record.reason)


class Turns:
    """The turns of the server. A person has one open turn in a conversation: a new message ends the one before."""

    def __init__(self, elicitations: Elicitations, agent: Callable[[Turn], Iterator[JSON]]) -> None:
        self._elicitations = elicitations
        self._agent = agent
        self._open: dict[tuple[str, str], Turn] = {}
        # The last message of each conversation: a copy of it that arrives late starts no second turn.
        self._last: dict[tuple[str, str], tuple[str, Turn]] = {}
        self._lock = threading.Lock()

    def start(
        self,
        user_id: Optional[str],
        conversation_id: str,
        messages: list[Any],
        supports: set[str],
        start_id: Optional[str] = None,
    ) -> Turn:
        turn = Turn(self._elicitations, user_id, conversation_id, messages, supports)
        if user_id is not None:
            key = user_id, conversation_id
            with self._lock:
                last_id, last = self._last.pop(key, (None, turn))
                if start_id is not None:
                    same = last if last_id == start_id else None
                    self._last[key] = start_id, same or turn
                    if same is not None:
                        return same
                before = self._open.get(key)
                self._open[key] = turn
            if before is not None:
                before.stop()
        threading.Thread(target=self._run, args=(turn,), daemon=True).start()
        return turn

    def _run(self, turn: Turn) -> None:
        turn.run(self._agent)
        key = (turn.user_id or "", turn.conversation_id)
        with self._lock:
            if self._open.get(key) is turn:
                del self._open[key]

    def find(self, user_id: str, conversation_id: str) -> Optional[Turn]:
        """The open turn of this person in this conversation."""
        with self._lock:
            return self._open.get((user_id, conversation_id))
