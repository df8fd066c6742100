import { expect, test } from "vitest";
import { createChatClient } from "../../../test/stages/chat-client.ts";
import { CONNECT, asking, createTestRuntime } from "../../../test/stages/test-runtime.ts";

const failure = () => new Error("GET https://files.example.com/?sig=hunter2 took too long");

test.each<[string, (controller: AbortController) => object]>([
  ["a tool's signal", ({ signal }) => ({ signal })],
  [
    "the remote call of a request",
    ({ signal }) => ({
      completed: new Promise<void>((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      }),
    }),
  ],
])("neither the user nor the model gets the error message of %s", async (_, whereFrom) => {
  const controller = new AbortController();
  const runtime = createTestRuntime(asking({ ...CONNECT, ...whereFrom(controller) }));
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  controller.abort(failure());
  await stream.done;
  expect(stream.chunks).toContainEqual(
    expect.objectContaining({
      id: elicitationId,
      data: expect.objectContaining({
        resolution: expect.objectContaining({
          outcome: "withdrawn",
          reason: "The agent no longer needs the answer.",
        }),
      }),
    }),
  );
  expect(JSON.stringify(stream.chunks)).not.toContain("hunter2");
});
