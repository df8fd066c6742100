import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { isObject } from "../../src/contract/json.ts";
import { parseElicitationRequest } from "../../src/contract/guard.ts";
import { foldJson } from "../interop/recorded/fold-json.ts";
import { protocolPages, readRecordings } from "../interop/recorded/page.ts";
import { cellOf, nameOf, rowsOf } from "../interop/recorded/recording.ts";

const recordings = readRecordings();

const docs = new URL("../../docs/", import.meta.url);
const pages = protocolPages(recordings);

test.each([...pages])("docs/%s shows the recordings (to update it: `npm run protocols`)", (path, page) => {
  expect(readFileSync(new URL(path, docs), "utf8") === page).toBe(true);
});

test("docs/evidence/recorded has a recording for each of its pages", () => {
  const files = readdirSync(new URL("evidence/recorded/", docs)).filter((file) => file.endsWith(".md"));
  expect(files.map((file) => `evidence/recorded/${file}`).filter((path) => !pages.has(path))).toEqual([]);
});

test("a page prints each message completely, in lines of at most 100 columns unless a single text is longer", () => {
  const exchanges = [...recordings.values()].flatMap((protocol) => protocol.exchanges);
  for (const { message } of exchanges.flatMap(({ wire }) => wire)) {
    const folded = foldJson(message);
    expect(JSON.parse(folded)).toEqual(message);
    const long = folded.split("\n").filter((line) => line.length > 100);
    for (const line of long) expect(line).toMatch(/^ *(?:"[^"]+": )?"(?:[^"\\]|\\.)*",?$/);
  }
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
