import type { UIMessage } from "ai";
import type { BoundElicitation } from "elicit-kit";
import type { ElicitationRequest } from "elicit-kit/contract";
import { describe, expect, it } from "vitest";
import { createScript } from "../../src/client/testing/scripted-client.ts";
import { formRequest, urlRequest } from "../../src/contract/testing/requests.ts";
import { madeBy, ownNameOf, spelledOut, stepsOf, type ToolPart, toolStateOf } from "./steps.ts";

/** The properties of a request that the page uses, without the methods that `stepsOf` does not use. */
function bound(requests: readonly ElicitationRequest[]): readonly BoundElicitation[] {
  const { client } = createScript({ requests });
  return client.getSnapshot().items as readonly BoundElicitation[];
}

function call(toolCallId: string, name: string, rest: Partial<ToolPart> = {}): ToolPart {
  return {
    type: "dynamic-tool",
    toolName: name,
    toolCallId,
    state: "input-available",
    input: {},
    ...rest,
  } as ToolPart;
}

const requestPart = (id: string): UIMessage["parts"][number] => ({
  type: "data-elicitation-request",
  id,
  data: {},
});
const message = (...parts: UIMessage["parts"]): UIMessage => ({ id: "m", role: "assistant", parts });

describe("the rows of an answer", () => {
  const asked = bound([
    urlRequest({ toolCallId: "call-1" }),
    formRequest({ toolCallId: "call-2" }),
    formRequest({ elicitationId: "form-2" }),
  ]);

  it("show each request beside its tool call, and a request without a tool call in a row of its own", () => {
    const rows = stepsOf(
      message(
        { type: "text", text: "Both." },
        call("call-1", "create_issue"),
        call("call-2", "book_flight"),
        requestPart("form-1"),
        requestPart("url-1"),
        requestPart("form-2"),
      ),
      asked,
    );
    expect(
      rows.map((row) => (row.kind === "text" ? row.text : [row.key, row.asks.map(({ id }) => id)])),
    ).toEqual(["Both.", ["call-1", ["url-1"]], ["call-2", ["form-1"]], ["form-2", ["form-2"]]]);
  });

  it("keep the key of a row when its tool call arrives after its request", () => {
    const before = stepsOf(message(requestPart("url-1")), asked);
    const after = stepsOf(message(requestPart("url-1"), call("call-1", "create_issue")), asked);
    expect(before).toMatchObject([{ key: "call-1", part: undefined }]);
    expect(after).toMatchObject([{ key: "call-1", part: { toolCallId: "call-1" } }]);
  });
});

describe("the state of a tool call", () => {
  const refused = {
    state: "output-available",
    output: "Authentication required but not provided: …",
  } as const;
  const ended = (outcome: "accepted" | "declined") =>
    bound([urlRequest({ resolution: { outcome, at: "2026-11-21T12:00:00Z" } })]);

  it.each([
    ["running", call("c", "t"), [], true],
    ["stopped", call("c", "t"), [], false],
    ["waiting", call("c", "t"), bound([urlRequest()]), true],
    ["done", call("c", "t", { state: "output-available", output: { number: 1 } }), ended("accepted"), false],
    ["refused", call("c", "t", refused), ended("declined"), false],
    ["refused", call("c", "t", refused), [], false],
    ["failed", call("c", "t", { state: "output-error", errorText: "down" }), [], false],
  ] as const)("is %s", (state, part, asks, turnIsOpen) => {
    expect(toolStateOf(part, asks, turnIsOpen)).toBe(state);
  });
});

it("the page recognises a tool by its own name on any server, and shows an unknown name as words", () => {
  const names = ["create_issue"] as const;
  expect(ownNameOf(call("c", "tracker_create_issue"), names)).toBe("create_issue");
  expect(ownNameOf(call("c", "tracker.create_issue"), names)).toBe("create_issue");
  expect(ownNameOf(call("c", "recreate_issue"), names)).toBeUndefined();
  expect(spelledOut(call("c", "list_my-issues"))).toBe("List my issues");
  expect(spelledOut(call("c", "hotels.search"))).toBe("Hotels search");
});

it("an object with a number and a title counts as an issue", () => {
  const output = (value: unknown) => call("c", "t", { state: "output-available", output: value });
  expect(madeBy(output({ number: 1, title: "Login bug", body: "…" }))).toEqual({
    number: 1,
    title: "Login bug",
  });
  const both = { text: "Created issue #1", structuredContent: { number: 1, title: "Login bug" } };
  expect(madeBy(output(both))).toEqual({ number: 1, title: "Login bug" });
  expect(madeBy(output({ number: "1", title: "Login bug" }))).toBeUndefined();
  expect(madeBy(output("#1"))).toBeUndefined();
  expect(madeBy(call("c", "t"))).toBeUndefined();
});
