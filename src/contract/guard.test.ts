import { describe, expect, it } from "vitest";
import { parseElicitationRequest, parseElicitationResponse } from "./index.ts";
import {
  parseAnswerAck,
  parseCompletionMessage,
  parseProblem,
  parseResolution,
  parseStatusReport,
} from "./guard.ts";
import { purposeOf } from "./contract.ts";

const connect = {
  type: "elicitation-request",
  elicitationId: "Zm9vYmFyYmF6",
  mode: "url",
  message: "Linear needs your account",
  url: "https://auth.example.com/connect",
};
const ask = {
  type: "elicitation-request",
  elicitationId: "Zm9vYmFyYmF6",
  mode: "form",
  message: "Where to?",
  requestedSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};

function reason(parsed: { ok: boolean; reason?: string }): string | undefined {
  return parsed.reason;
}

describe("parseElicitationRequest", () => {
  it("returns the object itself, including unknown properties", () => {
    const request = { ...connect, later: { addition: true } };
    const parsed = parseElicitationRequest(request);
    expect(parsed.ok && parsed.value).toBe(request);
  });

  it.each(["a", ".a", "a..", "A-z_0~9"])("accepts %j as an id", (elicitationId) => {
    expect(parseElicitationRequest({ ...connect, elicitationId }).ok).toBe(true);
  });

  it.each([
    ["message", "😀".repeat(8192), "😀".repeat(8193)],
    ["message", "a\n".repeat(4096), `${"a\n".repeat(4096)}.`],
    ["url", `https://a.example/${"a".repeat(8174)}`, `https://a.example/${"a".repeat(8175)}`],
  ])("accepts a %s of up to 8,192 characters", (key, longest, tooLong) => {
    expect(parseElicitationRequest({ ...connect, [key]: longest }).ok).toBe(true);
    expect(parseElicitationRequest({ ...connect, [key]: tooLong }).ok).toBe(false);
  });

  it("accepts an unsafe URL, because the client inspects it", () => {
    expect(parseElicitationRequest({ ...connect, url: "javascript:alert(1)" }).ok).toBe(true);
  });

  it("accepts a form that cannot be shown, because parseRequestedSchema decides that", () => {
    const requestedSchema = { type: "object", properties: { nested: { type: "object" } } };
    expect(parseElicitationRequest({ ...ask, requestedSchema }).ok).toBe(true);
  });

  it("accepts a request with progress, resolution and round", () => {
    const request = {
      ...ask,
      context: { trigger: "mcp_elicitation", tool: "search" },
      requester: { name: "Travel agent", claimedName: "Best Travel" },
      round: { id: "r1", size: 2 },
      toolCallId: "call_1",
      expiresAt: "2026-11-20T10:00:00.123+01:00",
      progress: { status: "completed", lastError: "denied" },
      resolution: { outcome: "accepted", at: "2026-11-20T09:00:00Z" },
    };
    expect(parseElicitationRequest(request).ok).toBe(true);
  });

  it("accepts a request whose page has failed and can be tried again", () => {
    const progress = { status: "pending", lastError: "Access was not granted." };
    expect(parseElicitationRequest({ ...connect, progress }).ok).toBe(true);
  });

  it("accepts any icon of a service, because the client decides whether to show it", () => {
    for (const service of [
      { name: "Tracker" },
      { name: "Tracker", iconDataUrl: "https://a.example/x.png" },
    ]) {
      expect(parseElicitationRequest({ ...connect, service }).ok).toBe(true);
    }
  });

  it("accepts any visible id", () => {
    for (const elicitationId of ["conv:1/x y", "1", "ä", "a".repeat(256)])
      expect(parseElicitationRequest({ ...connect, elicitationId }).ok).toBe(true);
  });

  it.each([
    [null, "request: expected object"],
    [[connect], "request: expected object"],
    [{ ...connect, type: "elicitation-response" }, "request.type: expected elicitation-request"],
    [{ ...connect, elicitationId: "" }, "request.elicitationId: expected id"],
    [{ ...connect, elicitationId: "a\u200bb" }, "request.elicitationId: expected id"],
    [{ ...connect, elicitationId: "a\nb" }, "request.elicitationId: expected id"],
    [{ ...connect, elicitationId: "a".repeat(257) }, "request.elicitationId: expected id"],
    [{ ...connect, elicitationId: ".." }, "request.elicitationId: expected id"],
    [{ ...connect, mode: "page" }, "request.mode: expected url|form"],
    [{ ...connect, mode: undefined }, "request.mode: expected url|form"],
    [{ ...connect, message: 1 }, "request.message: expected text of at most 8192 characters"],
    [{ ...connect, url: "/connect" }, "request.url: expected url of at most 8192 characters"],
    [{ ...connect, url: "" }, "request.url: expected url of at most 8192 characters"],
    [{ ...connect, acceptMeans: "done" }, "request.acceptMeans: expected completion|consent"],
    [{ ...connect, requestedSchema: ask.requestedSchema }, "request.requestedSchema: expected nothing"],
    [{ ...ask, url: connect.url }, "request.url: expected nothing"],
    [{ ...ask, requestedSchema: undefined }, "request.requestedSchema: expected object"],
    [{ ...ask, requestedSchema: { type: "array" } }, "request.requestedSchema.type: expected object"],
    [{ ...ask, requestedSchema: { type: "object" } }, "request.requestedSchema.properties: expected object"],
    [
      { ...ask, requestedSchema: { type: "object", properties: {}, required: [1] } },
      "request.requestedSchema.required: expected list of texts",
    ],
    [{ ...ask, context: {} }, "request.context.trigger: expected text"],
    [{ ...ask, context: "context" }, "request.context: expected object"],
    [{ ...ask, requester: { claimedName: "x" } }, "request.requester.name: expected text"],
    [{ ...ask, round: { id: "r", size: 0 } }, "request.round.size: expected count"],
    [{ ...ask, round: { id: "r", size: 1.5 } }, "request.round.size: expected count"],
    [{ ...ask, expiresAt: "tomorrow" }, "request.expiresAt: expected timestamp"],
    [{ ...ask, expiresAt: null }, "request.expiresAt: expected timestamp"],
    [
      { ...ask, progress: { status: "half" } },
      "request.progress.status: expected pending|consented|completed",
    ],
    [{ ...connect, service: "Tracker" }, "request.service: expected object"],
    [{ ...connect, service: { iconDataUrl: "data:," } }, "request.service.name: expected text"],
    [{ ...connect, service: { name: "T", iconDataUrl: 1 } }, "request.service.iconDataUrl: expected text"],
    [{ ...ask, resolution: { outcome: "accepted" } }, "request.resolution.at: expected timestamp"],
  ])("refuses %j: %s", (value, expected) => {
    expect(reason(parseElicitationRequest(value))).toBe(expected);
  });

  it("never includes a value in a reason", () => {
    expect(reason(parseElicitationRequest({ ...connect, url: "s3cret" }))).not.toContain("s3cret");
  });
});

describe("parseElicitationResponse", () => {
  it("accepts every kind of value under any field name", () => {
    const content: unknown = JSON.parse('{"__proto__":"a","constructor":1.5,"":true,"😀":["b"]}');
    expect(parseElicitationResponse({ elicitationId: "e", action: "accept", content }).ok).toBe(true);
  });

  it.each([null, { nested: {} }, { a: null }, { a: [1] }, [], "text", JSON.parse('{"__proto__":{}}')])(
    "refuses %j as content",
    (content) => {
      const parsed = parseElicitationResponse({ elicitationId: "e", action: "accept", content });
      expect(reason(parsed)).toBe("response.content: expected content");
    },
  );

  it("accepts a note of at most 500 characters, only with decline", () => {
    const read = (action: string, note: unknown) =>
      parseElicitationResponse({ elicitationId: "e", action, note });
    expect(read("decline", "😀".repeat(500)).ok).toBe(true);
    expect(reason(read("decline", "x".repeat(501)))).toBe(
      "response.note: expected text of at most 500 characters",
    );
    expect(reason(read("accept", "x"))).toBe("response.note: expected nothing");
    expect(reason(read("cancel", "x"))).toBe("response.note: expected nothing");
  });

  it("accepts the member delegated only with accept, and not beside content or remember", () => {
    const read = (more: object) => parseElicitationResponse({ elicitationId: "e", delegated: true, ...more });
    expect(read({ action: "accept" }).ok).toBe(true);
    expect(reason(read({ action: "accept", content: {} }))).toBe("response.content: expected nothing");
    expect(reason(read({ action: "accept", remember: true }))).toBe("response.remember: expected nothing");
    expect(reason(read({ action: "accept", delegated: false }))).toBe("response.delegated: expected true");
    expect(reason(read({ action: "decline" }))).toBe("response.delegated: expected nothing");
  });

  it("accepts the member remember only with accept", () => {
    const read = (action: string, remember: unknown) =>
      parseElicitationResponse({ elicitationId: "e", action, remember });
    expect([read("accept", true).ok, read("accept", false).ok]).toEqual([true, true]);
    expect(reason(read("accept", "yes"))).toBe("response.remember: expected true|false");
    expect(reason(read("decline", true))).toBe("response.remember: expected nothing");
    expect(reason(read("cancel", true))).toBe("response.remember: expected nothing");
  });

  it.each(["decline", "cancel"])("accepts no content with %s", (action) => {
    expect(parseElicitationResponse({ elicitationId: "e", action }).ok).toBe(true);
    const parsed = parseElicitationResponse({ elicitationId: "e", action, content: {} });
    expect(reason(parsed)).toBe("response.content: expected nothing");
  });
});

describe("the parsers of server replies", () => {
  it("accept a resolution only with a known outcome", () => {
    expect(parseResolution({ outcome: "withdrawn", at: "2026-11-20T10:00:00Z", reason: "stopped" }).ok).toBe(
      true,
    );
    expect(reason(parseResolution({ outcome: "done", at: "2026-11-20T10:00:00Z" }))).toBe(
      "resolution.outcome: expected accepted|declined|cancelled|expired|withdrawn|failed",
    );
  });

  it("accept a status only with expiresAt and now", () => {
    const report = {
      elicitationId: "e",
      status: "consented",
      expiresAt: "2026-11-20T10:00:00Z",
      now: "2026-11-20T09:00:00Z",
    };
    expect(parseStatusReport(report).ok).toBe(true);
    expect(reason(parseStatusReport({ ...report, now: 1 }))).toBe("status.now: expected timestamp");
  });

  it.each([
    { outcome: "accepted" },
    { outcome: "declined", alreadyProcessed: true },
    { status: "consented" },
    { status: "pending", lastError: "access_denied" },
  ])("accept the acknowledgement %j", (rest) => {
    expect(parseAnswerAck({ success: true, elicitationId: "e", ...rest }).ok).toBe(true);
  });

  it.each([
    [{}, "ack.outcome: expected accepted|declined|cancelled|expired|withdrawn|failed"],
    [{ outcome: "accepted", success: false }, "ack.success: expected true"],
    [{ outcome: "accepted", alreadyProcessed: false }, "ack.alreadyProcessed: expected true"],
  ])("refuse the acknowledgement %j", (rest, expected) => {
    expect(reason(parseAnswerAck({ success: true, elicitationId: "e", ...rest }))).toBe(expected);
  });

  it("accept a problem with the errors of a form", () => {
    const problem = {
      title: "Bad Request",
      status: 400,
      detail: "x",
      errors: [{ field: "", code: "required", message: "" }],
    };
    expect(parseProblem(problem).ok).toBe(true);
    expect(reason(parseProblem({ ...problem, errors: [{ field: "city" }] }))).toBe(
      "problem.errors: expected list of errors",
    );
    expect(reason(parseProblem({ ...problem, errors: {} }))).toBe("problem.errors: expected list of errors");
    expect(reason(parseProblem({ ...problem, status: Number.NaN }))).toBe("problem.status: expected number");
  });
});

describe("parseCompletionMessage", () => {
  const posted = { source: "elicit-kit", version: 1, elicitationId: "e" };

  it.each([
    { type: "elicitation-complete" },
    { type: "elicitation-failed" },
    { type: "elicitation-bind", challenge: "c" },
  ])("reads %j", (rest) => {
    expect(parseCompletionMessage({ ...posted, ...rest }).ok).toBe(true);
  });

  it.each([
    [{ type: "elicitation-bind" }, "message.challenge: expected text"],
    [{ type: "oauth-success" }, "message.type: expected elicitation-complete|elicitation-failed"],
    [{ type: "elicitation-complete", source: "other" }, "message.source: expected elicit-kit"],
    [{ type: "elicitation-complete", version: "1" }, "message.version: expected 1"],
  ])("refuses %j", (rest, expected) => {
    expect(reason(parseCompletionMessage({ ...posted, ...rest }))).toBe(expected);
  });

  it.each([null, undefined, "elicitation-complete", 1, []])("refuses %j", (value) => {
    expect(parseCompletionMessage(value).ok).toBe(false);
  });
});

it.each([
  [{}, "open"],
  [{ service: { name: "Tracker" } }, "connect"],
  [{ context: { trigger: "credential_required" } }, "connect"],
  [{ service: { name: "Bank" }, purpose: "pay" }, "pay"],
  [{ purpose: "sign" }, "sign"],
  [{ service: { name: "Venue" }, purpose: "open" }, "open"],
  [{ service: { name: "Files" }, purpose: "upload" }, "open"],
])("the purpose of a page of %o is %s", (request, purpose) => {
  expect(purposeOf(request)).toBe(purpose);
});
