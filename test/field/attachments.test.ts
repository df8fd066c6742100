import { expect } from "vitest";
import { serve } from "../interop/ag-ui/thread.ts";
import { fieldCase } from "./field-case.ts";

/** Sends a run of AG-UI with these parts as its only message, and returns the messages that the agent gets. */
async function messagesGiven(...content: readonly object[]): Promise<readonly unknown[]> {
  const given: unknown[] = [];
  const served = serve(async function* run({ messages }) {
    given.push(...messages);
    yield { type: "finish" };
  });
  const request = new Request("https://agent.example.com/agent", {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer ada" },
    body: JSON.stringify({ threadId: "t1", runId: "r1", messages: [{ id: "u1", role: "user", content }] }),
  });
  await (await served.endpoint(request)).text();
  expect(served.errors).toEqual([]);
  return given;
}

fieldCase(
  { sources: ["ag-ui-protocol/ag-ui#1311", "ag-ui-protocol/ag-ui#901"], before: "failed" },
  "an agent behind AG-UI gets a message that is only an attachment, with the file and its name",
  async () => {
    const part = { type: "binary", mimeType: "image/png", data: "AA==", filename: "a.png" };
    expect(await messagesGiven(part)).toMatchObject([
      { id: "u1", parts: [{ type: "file", url: "data:image/png;base64,AA==", filename: "a.png" }] },
    ]);
  },
);

fieldCase(
  { sources: ["ag-ui-protocol/ag-ui#1311", "microsoft/agent-framework#7653"], before: "failed" },
  "an agent behind AG-UI reads that an attachment is a link, which is not fetched",
  async () => {
    const source = { type: "url", value: "http://169.254.169.254/photo", mimeType: "image/png" };
    expect(await messagesGiven({ type: "image", source })).toMatchObject([
      { id: "u1", parts: [{ type: "text", text: expect.stringContaining("could not be read: image/png") }] },
    ]);
  },
);
