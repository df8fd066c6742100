import { expect } from "vitest";
import { send, stageAnswerPage, TRIP } from "../stages/answer-page-stage.ts";
import { fieldCase } from "./field-case.ts";

const PRICE = {
  ...TRIP,
  requestedSchema: {
    type: "object" as const,
    properties: { price: { type: "number", title: "Price" } },
    required: ["price"],
  },
};

/** What the agent gets for a number that a user of the answer page has typed in a language. */
async function answerTyped(typed: string, language: string): Promise<unknown> {
  const s = await stageAnswerPage(PRICE);
  const headers = { "accept-language": language, "sec-fetch-dest": "document" };
  const page = await s.browser.visit(s.url, { headers });
  await send(s, page, { f0: typed }, headers);
  return (await s.status()) === "accepted" ? await s.result() : undefined;
}

fieldCase(
  { sources: ["ourjapanlife/findadoc-web#1762", "voisine/breadwallet-ios#459"], before: "failed" },
  "the answer page takes a number as the user's language writes it",
  async () => {
    for (const [typed, language, price] of [
      ["12,5", "de", 12.5],
      ["1.500,25", "de", 1500.25],
      ["1 500,5", "fr", 1500.5],
      ["1,500.5", "en", 1500.5],
      ["１２", "ja", 12],
      ["١٢٫٥", "ar", 12.5],
    ] as const) {
      expect(await answerTyped(typed, language)).toEqual({
        outcome: "accepted",
        content: { price },
      });
    }
  },
);

fieldCase(
  { sources: ["whatwg/html#11395"], before: "failed" },
  "the answer page takes a number that was typed with an input method",
  async () => {
    for (const [typed, price] of [
      ["ー５", -5],
      ["１２。５", 12.5],
      ["１、５００", 1500],
      ["–5", -5],
    ] as const) {
      expect(await answerTyped(typed, "ja")).toEqual({ outcome: "accepted", content: { price } });
    }
  },
);

fieldCase(
  { sources: ["colinhacks/zod#4779"], before: "failed" },
  "the answer page does not show the limits with which a program stores a number",
  async () => {
    const limits = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
    const s = await stageAnswerPage({
      ...TRIP,
      requestedSchema: {
        type: "object",
        properties: { guests: { type: "integer", title: "Guests", ...limits } },
      },
    });
    expect(s.shown.text).not.toContain("9,007");
    await send(s, s.shown, { f0: "2" });
    expect(await s.result()).toEqual({ outcome: "accepted", content: { guests: 2 } });
  },
);
