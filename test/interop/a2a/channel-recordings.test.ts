/**
 * Records the messages between an agent on the official SDK and a page with our channel, for `docs/evidence/recorded`.
 */
import { ClientFactory } from "@a2a-js/sdk/client";
import { expect, test } from "vitest";
import { CONTENT, SERVICE } from "../recorded/questions.ts";
import { createRecorder, keyOf } from "../recorded/recorder.ts";
import type { Gap } from "../recorded/recording.ts";
import { createWireTap } from "../recorded/wire-tap.ts";
import { serveAgent } from "./agents.ts";
import { COUNTERPART, type Controls, VARIANTS, agentOf, cellsOf, gapsOf, shown } from "./bistro.ts";
import { openPage } from "./page.ts";

const OUTCOMES = ["accepted", "declined", "cancelled", "withdrawn"] as const;
const GAPS: readonly Gap[] = [
  ...gapsOf(OUTCOMES),
  ...["form", "url"].map((mode) => ({
    mode,
    outcome: "expired",
    variants: VARIANTS,
    why: "A page does not let a card expire. An agent that no longer waits withdraws its question.",
  })),
];

const recorder = createRecorder("a2a-channel", {
  title: "A2A: agents ask a page",
  about:
    "An A2A agent asks while it works on a task. The page is its client, shows the card, and answers on the task. One column for agents with [the extension](../reference/a2a-extension.md), one for agents without it. JSON-RPC with streams; reads of the task that bring no news are left out.",
  guide: "../protocols/a2a.md#a-page-that-is-the-client",
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
    const page = await openPage(agent.url, { agentName: SERVICE }, tap.fetch);
    const task = page.channel.send("Book a trip");
    const { id, request } = await page.item();
    if (outcome === "accepted" && mode === "url") void page.client.connect(id);
    if (outcome === "accepted" && mode === "form")
      await page.client.accept(id, variant === "text only" ? { answer: "A quiet one" } : CONTENT);
    if (outcome === "declined") await page.client.decline(id);
    if (outcome === "cancelled") await page.client.cancel(id);
    if (outcome === "withdrawn" && mode === "form") {
      const other = await new ClientFactory().createFromUrl(agent.url);
      await other.cancelTask({ tenant: "", id: controls.taskId, metadata: undefined });
    }
    controls.goOn();
    await task;
    await expect.poll(page.statuses).toEqual([outcome]);
    recorder.check({
      ...cell,
      counterpart: COUNTERPART,
      wire: shown(tap.wire),
      request: { ...request, resolution: { outcome, at: new Date().toISOString() } },
    });
  },
);

recorder.hasOnly(CELLS);
