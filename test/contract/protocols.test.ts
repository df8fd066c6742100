import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { isObject } from "../../src/contract/json.ts";
import { parseElicitationRequest } from "../../src/contract/guard.ts";
import { readRecordings, recordedPage } from "../interop/recorded/page.ts";
import { cellOf, nameOf, rowsOf } from "../interop/recorded/recording.ts";

const recordings = readRecordings();

test("docs/evidence/recorded.md shows the recordings (to update it: `npm run protocols`)", () => {
  const page = readFileSync(new URL("../../docs/evidence/recorded.md", import.meta.url), "utf8");
  expect(page).toBe(recordedPage(recordings));
});

describe.each([...recordings])("the recordings of %s", (_, protocol) => {
  test("contain an exchange for every outcome and version, or say why there is none", () => {
    const empty = rowsOf(protocol).flatMap((row) =>
      protocol.variants
        .filter((variant) => cellOf(protocol, row, variant) === undefined)
        .map((variant) => `${variant}: ${nameOf(row)}`),
    );
    expect(empty).toEqual([]);
  });

  test("have exchanges and reasons only for versions in the table", () => {
    const named = [
      ...protocol.exchanges.map(({ variant }) => variant),
      ...protocol.gaps.flatMap(({ variants }) => variants),
    ];
    expect(named.filter((variant) => !protocol.variants.includes(variant))).toEqual([]);
  });

  test("end every question with the outcome of its row", () => {
    for (const { request, outcome, mode } of protocol.exchanges) {
      expect(parseElicitationRequest(request)).toMatchObject({ value: { mode, resolution: { outcome } } });
    }
  });
});

test.each(["form", "url"])("a question of mode %s has the same card in every protocol", (mode) => {
  const cards = [...recordings.values()]
    .flatMap(({ exchanges, textVariants = [] }) =>
      exchanges.filter((exchange) => exchange.mode === mode && !textVariants.includes(exchange.variant)),
    )
    .map(({ request }) => cardOf(request));
  expect(cards.length).toBeGreaterThan(0);
  for (const card of cards) expect(card).toEqual(cards[0]);
});

test("a question as text has the same message in every protocol, and one text field", () => {
  const [form] = recordings.get("mcp")?.exchanges ?? [];
  for (const { exchanges, textVariants = [] } of recordings.values()) {
    for (const { request } of exchanges.filter(({ variant }) => textVariants.includes(variant))) {
      const { message, requestedSchema } = cardOf(request);
      expect(message).toBe(cardOf(form?.request).message);
      expect(requestedSchema).toMatchObject({
        properties: { answer: { type: "string" } },
        required: ["answer"],
      });
    }
  }
});

/** The user's view of a question. Its source may differ. */
function cardOf(request: unknown) {
  if (!isObject(request)) throw new Error("not a request");
  const { message, mode, requestedSchema, url, requester } = request;
  return { message, mode, requestedSchema, url, name: isObject(requester) ? requester["name"] : undefined };
}
