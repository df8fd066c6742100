/** Records the messages between an agent on the official SDK and the relay, for `docs/evidence/recorded`. */
import { ClientFactory } from "@a2a-js/sdk/client";
import { expect, test } from "vitest";
import { CONTENT, SERVICE } from "../recorded/questions.ts";
import { createRecorder, keyOf } from "../recorded/recorder.ts";
import { createWireTap } from "../recorded/wire-tap.ts";
import { serveAgent } from "./agents.ts";
import { COUNTERPART, type Controls, VARIANTS, agentOf, cellsOf, gapsOf, shown } from "./bistro.ts";
import { BOOK, chatWith } from "./chat.ts";

const OUTCOMES = ["accepted", "declined", "cancelled", "expired", "withdrawn"] as const;
const GAPS = gapsOf(OUTCOMES);

const recorder = createRecorder("a2a", {
  title: "A2A: agents ask our agent",
  about:
    "An A2A agent asks while it works on a task. The runtime is its client, asks the user in the chat, and answers on the task. One column for agents with [the extension](../reference/a2a-extension.md), one for agents without it. JSON-RPC with streams; reads of the task that bring no news are left out.",
  guide: "../protocols/a2a.md",
  variants: VARIANTS,
  textVariants: ["text only"],
  gaps: GAPS,
});

const CELLS = cellsOf(OUTCOMES);

test.each(CELLS.map((cell) => [keyOf(cell), cell] as const))(
  "the messages and the card are the same as in docs/evidence/recorded: %s",
  async (_, cell) => {
    const { variant, mode, outcome } = cell;
    const controls: Controls = { taskId: "", goOn() {} };
    const agent = await serveAgent(agentOf(cell, controls), { extension: variant === "with the extension" });
    const tap = createWireTap("client", "agent");
    const chat = chatWith(agent.url, BOOK, {
      fetch: tap.fetch,
      service: SERVICE,
      ...(outcome === "expired" && { expiresInMs: 200 }),
    });
    const stream = await chat.send();
    const { elicitationId } = await stream.request();
    if (outcome === "accepted" && variant === "text only")
      await chat.answer(stream, "accept", { answer: "A quiet one" });
    else if (outcome === "accepted")
      await chat.answer(stream, "accept", mode === "form" ? CONTENT : undefined);
    if (outcome === "declined") await chat.answer(stream, "decline");
    if (outcome === "cancelled") await chat.answer(stream, "cancel");
    if (outcome === "withdrawn" && mode === "form") {
      const other = await new ClientFactory().createFromUrl(agent.url);
      await other.cancelTask({ tenant: "", id: controls.taskId, metadata: undefined });
    }
    controls.goOn();
    await stream.done;
    const request = stream.chunks.findLast(({ id }) => id === elicitationId)?.["data"];
    expect(request).toMatchObject({ mode, resolution: { outcome } });
    recorder.check({ ...cell, counterpart: COUNTERPART, wire: shown(tap.wire), request });
  },
);

recorder.hasOnly(CELLS);
