/** Records the messages between a page with `HttpAgent` and our endpoint, for `docs/evidence/recorded`. */
import type { Question } from "elicit-kit/runtime";
import { expect, test } from "vitest";
import { CONTENT, FORM, PAGE, SERVICE } from "../recorded/questions.ts";
import { createRecorder, keyOf } from "../recorded/recorder.ts";
import type { Gap, Row, WireMessage } from "../recorded/recording.ts";
import { open, serve } from "./thread.ts";

const V1 = "AG-UI 1.0";
const OUTCOMES = ["accepted", "declined", "cancelled", "expired", "withdrawn"] as const;
const GAPS: readonly Gap[] = ["form", "url"].map((mode) => ({
  mode,
  outcome: "failed",
  variants: [V1],
  why: "A run has no word for it. The next run does not report the question any more, which withdraws the card.",
}));

const recorder = createRecorder("ag-ui", {
  title: "AG-UI: our agent asks a page",
  about:
    "The agent of a runtime asks during a run. The run ends with an interrupt; the page shows the card, and resumes with a new run.",
  guide: "../protocols/ag-ui.md",
  variants: [V1],
  gaps: GAPS,
});

interface Cell extends Row {
  outcome: (typeof OUTCOMES)[number];
  variant: string;
}

const CELLS = ["form", "url"].flatMap((mode) =>
  OUTCOMES.map((outcome): Cell => ({ variant: V1, mode, outcome })),
);

test.each(CELLS.map((cell) => [keyOf(cell), cell] as const))(
  "the messages and the card are the same as in docs/evidence/recorded: %s",
  async (_, { mode, outcome, variant }) => {
    const tool = { id: "book", name: "book" };
    const question: Question = mode === "form" ? { mode, ...FORM, tool } : { mode: "url", ...PAGE, tool };
    const served = serve(
      async function* run(turn) {
        yield { type: "start" };
        await turn.ask(question);
      },
      { isCompleted: () => true, ...(outcome === "expired" && { timeToAnswer: { expiresInMs: 800 } }) },
    );
    const wire: WireMessage[] = [];
    const page = open(
      {
        fetch: async (url, init) => {
          const request = init?.body;
          if (typeof request === "string") wire.push({ from: "page", message: JSON.parse(request) });
          const response = await served.fetch(url, init);
          const text = await response.text();
          for (const [, data = ""] of text.matchAll(/^data: (.+)$/gm)) {
            // The id of a message contains that of its turn, which is random.
            const named = data.replaceAll(/[\w-]{22}\.error/g, "turn-1.error");
            wire.push({ from: "endpoint", message: JSON.parse(named) });
          }
          return new Response(text, response);
        },
      },
      { agentName: SERVICE },
    );
    await page.say("Book a table");
    const { id, request } = await page.item();
    if (outcome === "accepted") await page.client.accept(id, mode === "form" ? CONTENT : undefined);
    if (outcome === "declined") await page.client.decline(id);
    if (outcome === "cancelled") await page.client.cancel(id);
    if (outcome === "withdrawn") {
      await served.runtime.close();
      await page.channel.recover();
    }
    await expect.poll(page.statuses).toEqual([outcome]);
    await expect.poll(() => served.bodies.length).toBe(2);
    await expect.poll(() => page.agent.isRunning).toBe(false);
    recorder.check({
      variant,
      mode,
      outcome,
      counterpart: "@ag-ui/client 1.0.0",
      wire,
      request: { ...request, resolution: { outcome, at: new Date().toISOString() } },
    });
  },
);

recorder.hasOnly(CELLS);
