/** Servers that are silent while a user takes longer than the limits of Node's own `fetch`. */
import { createServer } from "node:http";
import { expect, onTestFinished } from "vitest";
import { patientFetch } from "../../src/base/patient-fetch.ts";
import { chatWith } from "../interop/mcp/chat.ts";
import { legacy } from "../interop/mcp/servers.ts";
import { listen } from "../stages/listen.ts";
import { fieldCase } from "./field-case.ts";

const PLACE = Symbol.for("undici.globalDispatcher.1");

/** Shortens the 300 seconds of this process to a quarter of a second. */
function shortenLimits(): void {
  void new Request("http://localhost");
  const before: unknown = Reflect.get(globalThis, PLACE);
  const Agent: unknown = Object(before).constructor;
  if (typeof Agent !== "function") throw new Error("this Node.js keeps its dispatcher elsewhere");
  Reflect.set(globalThis, PLACE, Reflect.construct(Agent, [{ headersTimeout: 250, bodyTimeout: 250 }]));
  onTestFinished(() => void Reflect.set(globalThis, PLACE, before));
}

/** A server that is silent: before the headers, or after them. Resolves when Node has given up on it. */
async function silence(before: "headers" | "body") {
  const server = createServer((_, response) => {
    if (before === "body") response.write("hello ");
    finish.push(() => response.end("done"));
  });
  const finish: (() => void)[] = [];
  const { url, close } = await listen(server);
  onTestFinished(close);
  return {
    url,
    finish: () => finish.forEach((end) => end()),
    untilNodeGivesUp: async () => {
      await expect(fetch(url).then((response) => response.text())).rejects.toThrow(/fetch failed|terminated/);
    },
  };
}

for (const before of ["headers", "body"] as const) {
  fieldCase(
    { sources: ["danny-avila/LibreChat#10859"], before: "failed" },
    `a call waits for the ${before} of a silent server longer than Node does`,
    async () => {
      shortenLimits();
      const { url, finish, untilNodeGivesUp } = await silence(before);
      const reply = patientFetch(url).then((response) => response.text());
      await untilNodeGivesUp();
      finish();
      expect(await reply).toContain("done");
    },
  );
}

fieldCase(
  {
    sources: ["anthropics/claude-agent-sdk-typescript#118", "danny-avila/LibreChat#10859"],
    before: "failed",
  },
  "an answer reaches an MCP server that is silent for longer than Node waits",
  async () => {
    shortenLimits();
    const { url } = await legacy(async ({ ask, result }) => {
      const properties = { city: { type: "string" } };
      const answer = await ask({ message: "Where to?", requestedSchema: { type: "object", properties } });
      result(JSON.stringify(answer.result));
    });
    const chat = chatWith(url, [{ srv_ask: {} }, "Done."]);
    const stream = await chat.send();
    await stream.request();
    const other = await silence("body");
    await other.untilNodeGivesUp();
    await chat.answer(stream, "accept", { city: "Oslo" });
    await stream.done;
    expect(chat.results()).toContain("Oslo");
    expect(chat.errors).toEqual([]);
  },
);
