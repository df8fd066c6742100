"""A server of the contract in Python, with the standard library alone (Python 3.9 or newer).

It is a picture of docs/contract.md for other languages: small enough to read in one sitting, and it passes the whole
conformance suite. It keeps everything in the memory of one process, so for production you replace `people`, `agent`
and the records, and serve it behind a proxy with TLS.

    python3 server.py --port 8000
"""

from __future__ import annotations

import argparse
import http.cookies
import json
import secrets
import sys
import threading
import time
import traceback
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Iterator, Optional

from agent import run_agent
from elicitations import Elicitations, problem, read_answer
from turns import Turn, Turns

API = "/run/api"
COMPLETIONS = "/run/v1/chat/completions"
MAX_ANSWER_BYTES = 64 * 1024
MAX_CHAT_BYTES = 1024 * 1024
MAX_ANSWERS = 100
MAX_ID_LENGTH = 256
RESPONSE_PARTS = ("data-elicitation-response", "elicitation-response")

JSON = dict[str, Any]
Reply = tuple[int, Optional[JSON]]


class Refused(Exception):
    """Ends the handling of a request with this reply."""

    def __init__(self, status: int, detail: str, **headers: str) -> None:
        super().__init__(detail)
        self.reply = problem(status, detail)
        self.headers = headers


class People:
    """Who sends a request. Replace this by your own sessions: identity comes from them alone, never from a body."""

    BY_TOKEN = {"anna": "anna", "ben": "ben"}
    BY_SESSION = {"anna": "anna"}

    def identify(self, headers: Any) -> Optional[str]:
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            return self.BY_TOKEN.get(token)
        cookies = http.cookies.SimpleCookie()
        try:
            cookies.load(headers.get("cookie", ""))
        except http.cookies.CookieError:
            return None
        return self.BY_SESSION.get(cookies["session"].value) if "session" in cookies else None


class RateLimit:
    """Writes per person in a minute, counted from the first of them."""

    def __init__(self, per_minute: int) -> None:
        self._per_minute = per_minute
        self._windows: dict[str, tuple[float, int]] = {}
        self._lock = threading.Lock()

    def take(self, key: str, count: int = 1) -> Optional[int]:
        """Counts some writes. Returns after how many seconds they may be tried again when they are too many."""
        now = time.monotonic()
        with self._lock:
            if len(self._windows) > 10_000:
                self._windows = {k: v for k, v in self._windows.items() if now - v[0] < 60}
            start, used = self._windows.get(key, (now, 0))
            if now - start >= 60:
                start, used = now, 0
            if used + count > self._per_minute:
                return int(start + 60 - now) + 1
            self._windows[key] = (start, used + count)
            return None


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, options: argparse.Namespace) -> None:
        super().__init__(("127.0.0.1", options.port), Handler)
        self.options = options
        self.people = People()
        self.limit = RateLimit(options.writes_per_minute)
        self.elicitations = Elicitations()
        self.turns = Turns(self.elicitations, run_agent)


    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is no error of the server."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    """One connection. Each request is one call of `handle_request`."""

    protocol_version = "HTTP/1.1"
    timeout = 60  # seconds that a client may be silent between two requests, or within one
    server: Server

    def do_GET(self) -> None:
        self.handle_request()

    def do_POST(self) -> None:
        self.handle_request()

    def do_OPTIONS(self) -> None:
        self.handle_request()

    def handle_request(self) -> None:
        length = self.headers.get("content-length", "0")
        self._unread = int(length) if length.isascii() and length.isdecimal() else 0
        # Without a length, nobody knows where the next request begins.
        self.close_connection = self.close_connection or "transfer-encoding" in self.headers
        headers: dict[str, str] = {}
        try:
            reply = self.route()
        except Refused as refused:
            reply, headers = refused.reply, refused.headers
        except OSError:
            raise
        except Exception:
            traceback.print_exc()
            reply = problem(500, "Something went wrong.")
        if reply is not None:
            self.send_reply(*reply, headers)

    def route(self) -> Optional[Reply]:
        """The reply; `None` when a stream was sent instead."""
        url = urllib.parse.urlsplit(self.path)
        query = urllib.parse.parse_qs(url.query)
        parts = [urllib.parse.unquote(part) for part in url.path[len(API) + 1 :].split("/")]
        is_api = url.path.startswith(API + "/")
        if self.command == "OPTIONS":
            return 204, None
        if is_api and self.command == "POST":
            if parts == ["chat"]:
                return self.chat()
            if parts == ["elicitation-responses"]:
                return self.respond()
            if len(parts) == 3 and parts[0] == "chat" and parts[2] == "stop":
                return self.stop(parts[1], query.get("messageId", [None])[0])
            if len(parts) == 3 and parts[0] == "elicitations" and parts[2] == "bind":
                return self.bind(parts[1])
        if is_api and self.command == "GET":
            if parts == ["elicitations"]:
                return self.list_open(query.get("conversationId", [""])[0])
            if len(parts) == 2 and parts[0] == "elicitations":
                return self.server.elicitations.status(parts[1], self.require_person())
            if len(parts) == 3 and parts[0] == "chat" and parts[2] == "stream":
                return self.attach(parts[1])
        if url.path == COMPLETIONS and self.command == "POST":
            return self.completions()
        if self.server.options.test_controls and self.command == "POST":
            return self.control(url.path)
        return problem(404, "There is no such route.")

    # Section 3: turns

    def chat(self) -> Optional[Reply]:
        person = self.allow_write(anonymous=True)
        self.check_body(MAX_CHAT_BYTES)
        self.count_writes(person)
        body = self.read_json(MAX_CHAT_BYTES)
        conversation_id = body.get("conversationId", body.get("id", secrets.token_urlsafe(16)))
        messages = body.get("messages")
        if not is_id(conversation_id):
            raise Refused(400, "conversationId must be a string of 1 to 256 characters.")
        if not isinstance(messages, list) or not messages:
            raise Refused(400, "messages must be a list with at least one message.")
        start_id = body.get("startId")
        if start_id is not None and not is_id(start_id):
            raise Refused(400, "startId must be a string of 1 to 256 characters.")
        answers = answer_parts(messages[-1])
        if answers:
            return self.respond_by_message(person, conversation_id, answers)
        streams = body.get("stream") is not False
        supports = self.supported_modes(body) if streams else set()
        turn = self.server.turns.start(person, conversation_id, messages, supports, start_id)
        if not streams:
            return whole_message(turn)
        return self.send_stream(turn, ui_message_events, {"x-vercel-ai-ui-message-stream": "v1"})

    def attach(self, conversation_id: str) -> Optional[Reply]:
        turn = self.server.turns.find(self.require_person(), conversation_id)
        if turn is None:
            return 204, None
        return self.send_stream(turn, ui_message_events, {"x-vercel-ai-ui-message-stream": "v1"})

    def stop(self, conversation_id: str, message_id: Optional[str]) -> Reply:
        person = self.allow_write()
        self.count_writes(person)
        turn = self.server.turns.find(person, conversation_id)
        # A stop that arrives late names the message of an earlier turn.
        if turn is not None and message_id in (None, turn.id):
            turn.stop()
        # The same when nothing was open: a client need not know whether a turn is.
        return 204, None

    def completions(self) -> Optional[Reply]:
        person = self.allow_write(anonymous=True)
        self.check_body(MAX_CHAT_BYTES)
        self.count_writes(person)
        body = self.read_json(MAX_CHAT_BYTES)
        conversation_id, messages = body.get("conversationId"), body.get("messages")
        if conversation_id is not None and not is_id(conversation_id):
            raise Refused(400, "conversationId must be a string of 1 to 256 characters.")
        if not isinstance(messages, list) or not messages:
            raise Refused(400, "messages must be a list with at least one message.")
        streams = body.get("stream") is True
        # Without a conversation there is nowhere to answer.
        can_ask = streams and conversation_id is not None
        supports = self.supported_modes(body) if can_ask else set()
        turn = self.server.turns.start(
            person, conversation_id or secrets.token_urlsafe(16), messages, supports
        )
        return self.send_stream(turn, completions_events, {}) if streams else whole_completion(turn)

    def supported_modes(self, body: JSON) -> set[str]:
        """Section 2: the body names the modes; without it the header stands for both."""
        capabilities = body.get("capabilities")
        if isinstance(capabilities, dict) and "elicitation" in capabilities:
            named = capabilities["elicitation"]
            if not isinstance(named, dict):
                return set()
            return {"form"} if not named else {mode for mode in ("url", "form") if isinstance(named.get(mode), dict)}
        return {"url", "form"} if self.headers.get("x-supports-elicitation") == "true" else set()

    # Section 4: answers

    def respond(self) -> Reply:
        person = self.allow_write()
        self.check_body(MAX_ANSWER_BYTES)
        self.count_writes(person)
        body = self.read_json(MAX_ANSWER_BYTES)
        answer, reason = read_answer(body)
        if not is_id(body.get("conversationId")):
            raise Refused(400, "conversationId is missing.")
        if answer is None:
            raise Refused(400, reason)
        return self.server.elicitations.answer(person, body["conversationId"], answer)

    def respond_by_message(self, person: Optional[str], conversation_id: str, parts: list[Any]) -> Reply:
        """The fast path: a message that contains only answers settles them and starts no turn."""
        if person is None:
            raise Refused(401, "Sign in first.")
        if len(parts) > MAX_ANSWERS:
            raise Refused(400, f"A message holds at most {MAX_ANSWERS} answers.")
        answers = []
        for part in parts:
            answer, reason = read_answer(part["data"] if isinstance(part.get("data"), dict) else part)
            if answer is None:
                raise Refused(400, reason)
            if len(json.dumps(answer, ensure_ascii=False).encode("utf-8", "replace")) > MAX_ANSWER_BYTES:
                raise Refused(413, "An answer is larger than 64 KiB.")
            answers.append(answer)
        # One write was counted for the message.
        self.count_writes(person, len(answers) - 1)
        replies = [self.server.elicitations.answer(person, conversation_id, answer) for answer in answers]
        if len(replies) == 1:
            return replies[0]
        results = [
            {"elicitationId": answer["elicitationId"], "status": status, "body": body}
            for answer, (status, body) in zip(answers, replies)
        ]
        return 200, {"success": all(status < 300 for status, _ in replies), "results": results}

    def list_open(self, conversation_id: str) -> Reply:
        person = self.require_person()
        if not is_id(conversation_id):
            raise Refused(400, "conversationId is missing.")
        return 200, {"elicitations": self.server.elicitations.open_requests(conversation_id, person)}

    # Section 6: the chat vouches for the page that asks its window

    def bind(self, elicitation_id: str) -> Reply:
        person = self.allow_write()
        self.check_body(MAX_ANSWER_BYTES)
        self.count_writes(person)
        challenge = self.read_json(MAX_ANSWER_BYTES).get("challenge")
        return self.server.elicitations.ticket(elicitation_id, person, challenge)

    # Who sends it, and whether they may: 401, 403, 415, 413, 429, and only then the body is read

    def require_person(self) -> str:
        person = self.server.people.identify(self.headers)
        if person is None:
            raise Refused(401, "Sign in first.")
        return person

    def allow_write(self, anonymous: bool = False) -> Any:
        """The person who writes; `None` for nobody, where `anonymous` allows that."""
        person = self.server.people.identify(self.headers) if anonymous else self.require_person()
        # A page of another site cannot send a bearer token, but the browser adds cookies by itself.
        has_token = self.headers.get("authorization", "").lower().startswith("bearer ")
        origin, site = self.headers.get("origin"), self.headers.get("sec-fetch-site")
        is_foreign = not self.is_allowed(origin) if origin else site not in (None, "same-origin", "none")
        if is_foreign and not has_token:
            raise Refused(403, "Writes from this origin are not allowed.")
        return person

    def count_writes(self, person: Optional[str], count: int = 1) -> None:
        key = f"person {person}" if person is not None else f"address {self.client_address[0]}"
        wait = self.server.limit.take(key, count)
        if wait is not None:
            raise Refused(429, "Too many requests. Wait a little.", **{"retry-after": str(wait)})

    def is_allowed(self, origin: Optional[str]) -> bool:
        return origin in self.server.options.allowed_origin

    # Bodies

    def check_body(self, max_bytes: int) -> None:
        media_type = self.headers.get("content-type", "").partition(";")[0].strip().lower()
        if media_type != "application/json":
            raise Refused(415, "Send the body as application/json.")
        # This server does not read chunked bodies; it needs to know the length.
        if "content-length" not in self.headers or self._unread > max_bytes:
            raise Refused(413, f"Send a body of at most {max_bytes} bytes, and its content-length.")

    def read_json(self, max_bytes: int) -> JSON:
        self.check_body(max_bytes)
        data = self.rfile.read(self._unread)
        self._unread = 0
        try:
            body = json.loads(data.decode("utf-8"), parse_constant=reject)
        except (ValueError, RecursionError):
            body = None
        if not isinstance(body, dict):
            raise Refused(400, "The body is not a JSON object.")
        return body

    # Replies

    def send_reply(self, status: int, body: Optional[JSON], headers: dict[str, str]) -> None:
        data = b"" if body is None else json.dumps(body).encode()
        # What is left of a refused body would be read as the next request.
        if self._unread > 0:
            self.rfile.read(min(self._unread, MAX_CHAT_BYTES))
            self.close_connection = True
        self.send_response(status)
        if body is not None:
            self.send_header("content-type", "application/json" if status < 400 else "application/problem+json")
        if status != 204:
            self.send_header("content-length", str(len(data)))
        for name, value in {"cache-control": "no-store", **headers}.items():
            self.send_header(name, value)
        self.send_cors()
        self.end_headers()
        self.wfile.write(data)

    def send_cors(self) -> None:
        origin = self.headers.get("origin")
        self.send_header("vary", "origin")
        if origin is None or not self.is_allowed(origin):
            return
        self.send_header("access-control-allow-origin", origin)
        self.send_header("access-control-allow-credentials", "true")
        self.send_header("access-control-expose-headers", "retry-after")
        if self.command == "OPTIONS":
            self.send_header("access-control-allow-methods", "GET, POST")
            self.send_header(
                "access-control-allow-headers", "authorization, content-type, x-supports-elicitation"
            )
            self.send_header("access-control-max-age", "600")

    def send_stream(self, turn: Turn, encode: Any, headers: dict[str, str]) -> None:
        """Server-sent events from the start of the turn. A comment keeps a silent stream alive."""
        self.send_response(200)
        for name, value in {
            "content-type": "text/event-stream",
            "cache-control": "no-store, no-transform",
            "transfer-encoding": "chunked",
            **headers,
        }.items():
            self.send_header(name, value)
        self.send_cors()
        self.end_headers()
        try:
            for event in encode(turn, self.server.options.keep_alive_s):
                data = event.encode()
                self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
            self.wfile.write(b"0\r\n\r\n")
        except OSError:
            # The reader has gone away. The turn goes on, unless nobody can come back to it.
            self.close_connection = True
            if turn.user_id is None or encode is completions_events:
                turn.stop()

    # The world outside the chat, for the conformance suite

    def control(self, path: str) -> Reply:
        _, test, action, elicitation_id = (path.split("/") + [""] * 4)[:4]
        text = self.rfile.read(self._unread).decode()
        self._unread = 0
        if test == "test" and action == "complete":
            self.server.elicitations.complete(elicitation_id)
        elif test == "test" and action == "fail":
            self.server.elicitations.fail(elicitation_id, text)
        else:
            return problem(404, "There is no such route.")
        return 204, None

    def log_message(self, format: str, *args: Any) -> None:
        """Paths hold ids and queries hold conversations: nothing of them belongs into a log."""


def is_id(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= MAX_ID_LENGTH


def reject(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")


def answer_parts(message: Any) -> list[Any]:
    """The parts of a message that contains only answers; empty for any other message."""
    parts = message.get("parts") if isinstance(message, dict) else None
    parts = parts if isinstance(parts, list) else []
    answers = [part for part in parts if isinstance(part, dict) and part.get("type") in RESPONSE_PARTS]
    if answers and len(answers) < len(parts):
        raise Refused(400, "A message that answers an elicitation has no other parts.")
    return answers


# The two stream forms, and the two JSON forms, of the same log


def ui_message_events(turn: Turn, keep_alive_s: float) -> Iterator[str]:
    for chunk in turn.read(keep_alive_s):
        yield ": keep-alive\n\n" if chunk is None else f"data: {json.dumps(chunk)}\n\n"
    yield "data: [DONE]\n\n"


def completions_events(turn: Turn, keep_alive_s: float) -> Iterator[str]:
    """OpenAI's chunks. A request, and its end, is JSON as the whole content of one frame."""
    created = int(time.time())

    def frame(delta: JSON, finish_reason: Optional[str] = None) -> str:
        choices = [{"index": 0, "delta": delta, "finish_reason": finish_reason}]
        body = {"id": f"chatcmpl-{turn.id}", "object": "chat.completion.chunk", "created": created, "choices": choices}
        return f"data: {json.dumps(body)}\n\n"

    yield frame({"role": "assistant"})
    for chunk in turn.read(keep_alive_s):
        if chunk is None:
            yield ": keep-alive\n\n"
        elif chunk["type"] == "data-elicitation-request":
            yield frame({"content": json.dumps(envelope(chunk["data"]))})
        elif chunk["type"] == "text-delta":
            for text in harmless(chunk["delta"]):
                yield frame({"content": text})
        elif chunk["type"] == "error":
            yield f"data: {json.dumps({'error': {'message': chunk['errorText'], 'type': 'server_error'}})}\n\n"
        elif chunk["type"] in ("finish", "abort"):
            yield frame({}, "stop")
    yield "data: [DONE]\n\n"


def envelope(request: JSON) -> JSON:
    if "resolution" not in request:
        return request
    end = {"elicitationId": request["elicitationId"], "resolution": request["resolution"]}
    return {"type": "elicitation-resolved", **end}


def harmless(text: str) -> list[str]:
    """A text of the model in pieces of which none is a JSON object: it must not look like a request."""
    start = text.find("{")
    try:
        is_object = isinstance(json.loads(text.strip().strip("\ufeff")), dict)
    except (ValueError, RecursionError):
        is_object = False
    return [text[: start + 1], text[start + 1 :]] if is_object else [text]


def whole_message(turn: Turn) -> Reply:
    """`stream: false` on the chat route: one message."""
    texts, data, is_broken = collect(turn)
    if is_broken:
        return problem(500, "The assistant could not finish its answer.")
    parts = [{"type": "text", "text": text} for text in texts]
    message = {"id": turn.id, "role": "assistant", "parts": parts}
    return 200, {**message, "data": data} if data else message


def whole_completion(turn: Turn) -> Reply:
    """The OpenAI route without `stream: true`: one completion."""
    texts, data, is_broken = collect(turn)
    if is_broken:
        return problem(500, "The assistant could not finish its answer.")
    message = {"role": "assistant", "content": "\n\n".join(texts)}
    completion = {
        "id": f"chatcmpl-{turn.id}",
        "object": "chat.completion",
        "created": int(time.time()),
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
    }
    return 200, {**completion, "data": data} if data else completion


def collect(turn: Turn) -> tuple[list[str], list[JSON], bool]:
    """What was said, what was told besides, and whether the turn broke off."""
    chunks = [chunk for chunk in turn.read(60) if chunk is not None]
    texts = [chunk["delta"] for chunk in chunks if chunk["type"] == "text-delta"]
    data = [chunk for chunk in chunks if chunk["type"].startswith("data-")]
    return texts, data, chunks[-1]["type"] != "finish"


def main() -> None:
    parser = argparse.ArgumentParser(description="An elicitation server, as small as it can be.")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--allowed-origin", action="append", help="an origin of a chat; may be given several times")
    parser.add_argument("--keep-alive-s", type=float, default=15)
    parser.add_argument("--writes-per-minute", type=int, default=60)
    parser.add_argument("--test-controls", action="store_true", help="lets anybody play the provider: for tests only")
    options = parser.parse_args()
    options.allowed_origin = options.allowed_origin or ["https://chat.example.com"]
    server = Server(options)
    print(f"http://127.0.0.1:{server.server_address[1]}{API}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
