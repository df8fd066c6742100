/**
 * Tests for untrusted texts, from an MCP server, an agent, a model or another user. However long a text and however
 * costly its characters, it costs only as much as users can read.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { acceptedLanguages } from "../../src/base/accept-language.ts";
import { looksLikeUrl, scopesOf } from "../../src/connect/oauth/challenge.ts";
import { claimedNameOf } from "../../src/contract/claimed-name.ts";
import type { FormElicitationRequest, RequestedSchema } from "../../src/contract/contract.ts";
import { firstCharacters } from "../../src/contract/visible-text.ts";
import { inspectUrl } from "../../src/contract/inspect-url.ts";
import { findSecretFields, parseRequestedSchema } from "../../src/form/index.ts";
import { readWords } from "../../extras/a2a/serve/words.ts";
import { suggestOptions } from "../../extras/slack/answers/suggestions.ts";
import { fallbackText, plainText, shorten } from "../../extras/slack/blocks/text.ts";
import { plainWords } from "../../extras/slack/thread/thread-messages.ts";
import { en } from "../../src/words/cards/en.ts";
import { readNumber } from "../../src/form/number-text.ts";

/** Methods that read a whole text. */
const READERS = [
  "normalize",
  "replace",
  "replaceAll",
  "match",
  "matchAll",
  "split",
  "search",
  "toLowerCase",
  "toUpperCase",
  "toLocaleLowerCase",
  Symbol.iterator,
] as const;

/** How many characters of all texts `use` reads. It only counts, because a spy would keep every text of every call. */
function charactersRead(use: () => unknown): number {
  let read = 0;
  const restore = [
    ...READERS.map((name) => onCall(String.prototype, name, (text) => (read += String(text).length))),
    onCall(RegExp.prototype, "test", (_, text) => (read += String(text).length)),
  ];
  try {
    use();
  } finally {
    for (const undo of restore) undo();
  }
  return read;
}

/** Calls `count` before each call of a method, until the returned function is called. */
function onCall(
  owner: object,
  name: PropertyKey,
  count: (self: unknown, first: unknown) => void,
): () => void {
  const descriptor = Object.getOwnPropertyDescriptor(owner, name);
  const method: unknown = descriptor?.value;
  if (descriptor === undefined || typeof method !== "function") throw new Error("no such method");
  const value = function (this: unknown, ...args: unknown[]): unknown {
    count(this, args[0]);
    return Reflect.apply(method, this, args);
  };
  Object.defineProperty(owner, name, { ...descriptor, value });
  return () => void Object.defineProperty(owner, name, descriptor);
}

const formOf = (properties: RequestedSchema["properties"]): FormElicitationRequest => ({
  type: "elicitation-request",
  elicitationId: "e1",
  mode: "form",
  message: "Which?",
  requestedSchema: { type: "object", properties },
});

function secretsOf(title: string, message = ""): unknown {
  const parsed = parseRequestedSchema({ type: "object", properties: { a: { type: "string", title } } });
  return parsed.ok ? findSecretFields(parsed.fields, message) : undefined;
}

const LONG = 20_000;
/** The limit of characters that each place may read of one text. */
const PLACES: readonly (readonly [name: string, most: number, use: (text: string) => unknown])[] = [
  ["the name that a server gives itself", 20_000, claimedNameOf],
  ["a URL", 12 * LONG, inspectUrl],
  ["the host of a URL", 12 * LONG, (text) => inspectUrl(`https://${text}/`)],
  ["a field that may ask for a secret", 400_000, (text) => secretsOf(text)],
  ["a message that may ask for a secret", 400_000, (text) => secretsOf("Answer", text)],
  ["the beginning of a message", 10_000, (text) => firstCharacters(text, 1_000)],
  ["a text that is no number", 1_000, (text) => readNumber(text, en)],
  ["a text in Slack", 10_000, (text) => plainText(text, 150)],
  ["a shortened text in Slack", 10_000, (text) => shorten(text, 3_000)],
  ["a notification of Slack", 10_000, fallbackText],
  [
    "the options of a list in Slack",
    50_000,
    (title) => {
      const oneOf = ["a", "b", "c", "d"].map((value) => ({ const: value, title: title.slice(0, LONG / 4) }));
      return suggestOptions(formOf({ x: { type: "string", oneOf } }), "field:0", title);
    },
  ],
  ["a list of languages", 5_000, acceptedLanguages],
  ["a URL that is quoted in the log", 1_000, looksLikeUrl],
  ["a scope", 2 * LONG, scopesOf],
];

/** One character repeated many times, with other texts around it: the costliest ones, and any Unicode character. */
const longText = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(
        "\ufdfa",
        "\u0301\u0323",
        "\u0344",
        "\u3316",
        "\u200d",
        "A",
        "aA",
        "%cc%81",
        "пa",
        "가",
        "\u00ad",
        ":",
        "@",
        ".",
      ),
      fc.nat(0x10ffff).map((code) => String.fromCodePoint(code)),
    ),
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.string({ unit: "binary", maxLength: 20 }),
  )
  .map(([character, before, after]) => {
    const filling = character.repeat(Math.ceil(LONG / character.length));
    return before + filling + after;
  });

test.each(PLACES)("the kit reads %s only up to %i characters, whatever the text contains", (_, most, use) => {
  fc.assert(
    fc.property(longText, (text) => {
      expect(charactersRead(() => use(text))).toBeLessThanOrEqual(most);
    }),
    { numRuns: 20, endOnFailure: true },
  );
});

test("an answer as text is compared with each option once, however many options it names", () => {
  const options = Array.from({ length: 1_000 }, (_, number) => `option ${number}`);
  const schema = {
    type: "object",
    properties: { x: { type: "array", items: { type: "string", enum: options } } },
  } as const;
  const said = "a,".repeat(30_000);
  expect(charactersRead(() => readWords(said, schema))).toBeLessThan(1_000_000);
});

test.each([
  ["joiners", "\u200d"],
  ["variation selectors", "\ufe0f"],
])("a text in Slack is cut before orphaned %s, and after valid ones", (_, mark) => {
  expect(shorten(`ab${mark.repeat(50)}c`, 40)).toBe("ab…");
  expect(shorten(`ab${mark.repeat(20)}c${"d".repeat(50)}`, 24)).toBe(`ab${mark.repeat(20)}c…`);
});

test("a mention in Slack ends where the next begins, so that the text is searched only once", () => {
  expect(plainWords("<@B1|<@B1|bot> hello", "B1")).toBe("<@B1|  hello");
  expect(plainWords("<@U1|<@U1|bot> hello", undefined)).toBe("<@U1|@bot hello");
});

test("cutting a text to its first characters splits no surrogate pair", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(30), (text, most) => {
      expect(firstCharacters(text, most)).toBe([...text].slice(0, most).join(""));
    }),
  );
});
