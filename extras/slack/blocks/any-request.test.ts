import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ElicitationRequest, FormElicitationRequest } from "../../../src/contract/contract.ts";
import { formRequest, urlRequest } from "../../../src/contract/testing/requests.ts";
import { slackLanguageFor } from "../people/person-language.ts";
import { requestMessage } from "./request-message.ts";
import { requestModal } from "./request-modal.ts";
import { notificationsOf } from "../testing/notifications.ts";
import { checkBlocks, checkModal } from "../testing/block-kit.ts";
import { buttonsOf } from "../testing/person.ts";

const NASTY = [
  "<!channel>",
  "<@U123ABC>",
  "<!subteam^S1|x>",
  "*b*",
  ":wave:",
  "&amp;",
  "\ud83d",
  "😀",
  "\u202e",
  "\n",
  " ",
  "a",
  "<https://evil.example|ok>",
];
const words = (max: number) => fc.string({ unit: fc.constantFrom(...NASTY), maxLength: max });
const longText = fc.oneof(
  words(20),
  fc.constant("x".repeat(5000)),
  fc.constant("😀".repeat(2600)),
  fc.constant(""),
);
const name = fc.oneof(words(6), fc.constantFrom("__proto__", "constructor", "n".repeat(400)));

const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(1e21, 1e-9, -0),
);
const options = fc.oneof(
  fc.uniqueArray(longText, { minLength: 1, maxLength: 20 }),
  fc
    .integer({ min: 90, max: 1000 })
    .map((count) => Array.from({ length: count }, (_, index) => `Option ${index}`)),
);
const property = fc.oneof(
  fc.record(
    { type: fc.constant("string"), minLength: fc.nat({ max: 4000 }), maxLength: fc.nat({ max: 9000 }) },
    { requiredKeys: ["type"] },
  ),
  fc.record(
    {
      type: fc.constant("string"),
      format: fc.constantFrom("email", "uri", "date", "date-time"),
      default: fc.constantFrom(
        "a@b.co",
        "urn:x",
        "2026-02-30",
        "2026-02-28",
        "2026-01-01T00:00:00Z",
        "0001-01-01T00:00:00Z",
      ),
    },
    { requiredKeys: ["type"] },
  ),
  fc.record(
    { type: fc.constantFrom("number", "integer"), minimum: number, maximum: number, default: number },
    { requiredKeys: ["type"] },
  ),
  fc.record({ type: fc.constant("boolean"), default: fc.boolean() }, { requiredKeys: ["type"] }),
  options.map((list) => ({ type: "string", enum: list, default: list[0] })),
  fc.tuple(options, fc.nat({ max: 30 })).map(([list, most]) => ({
    type: "array",
    items: { type: "string", enum: list },
    maxItems: most,
    default: list.slice(0, 2),
  })),
);
const described = fc
  .tuple(property, longText, longText, longText)
  .map(([one, title, description, example]) => ({ ...one, title, description, examples: [example] }));

const base = fc.record({
  message: longText,
  requester: fc.option(fc.record({ name: longText, claimedName: fc.option(longText, { nil: undefined }) }), {
    nil: undefined,
  }),
  expiresAt: fc.constantFrom(undefined, "2026-11-23T12:00:00Z", "soon"),
  giveOn: fc.constantFrom(undefined, true),
  assignee: fc.option(fc.record({ name: longText, takeBack: fc.boolean(), remind: fc.boolean() }), {
    nil: undefined,
  }),
  resolution: fc.option(
    fc.record({
      outcome: fc.constantFrom("accepted", "declined", "expired", "withdrawn", "failed", "cancelled"),
      at: fc.constant("2026-11-23T12:00:00Z"),
      remembered: fc.constantFrom(undefined, "f".repeat(64)),
      by: fc.option(longText, { nil: undefined }),
    }),
    { nil: undefined },
  ),
});
const remember = fc.option(fc.record({ days: fc.nat(), kind: longText }, { requiredKeys: ["days"] }), {
  nil: undefined,
});
const anyForm = fc
  .tuple(base, fc.array(fc.tuple(name, described), { maxLength: 12 }), fc.boolean(), remember)
  .map(([common, properties, required, offer]): FormElicitationRequest => {
    const named = Object.fromEntries(properties);
    const context = {
      trigger: "tool",
      fields: Object.fromEntries(properties.map(([key]) => [key, { control: "rating" }])),
    };
    const schema = {
      type: "object" as const,
      properties: named,
      required: required ? Object.keys(named) : [],
    };
    return formRequest({ ...common, context, requestedSchema: schema, remember: offer });
  });
const anyUrl = fc
  .tuple(
    base,
    fc.oneof(
      longText,
      fc.webUrl(),
      fc.constantFrom("javascript:alert(1)", `https://example.com/${"a".repeat(4000)}`),
    ),
    longText,
  )
  .map(([common, url, service]) => urlRequest({ ...common, url, service: { name: service } }));
const anyRequest: fc.Arbitrary<ElicitationRequest> = fc.oneof(anyForm, anyUrl);

describe("for any request", () => {
  test("Slack accepts the message, which mentions only the user who is asked and links only to the hosted page", () => {
    fc.assert(
      fc.property(anyRequest, fc.boolean(), fc.boolean(), (request, hasLink, handsOver) => {
        const link = hasLink ? "https://auth.example.com/auth/answer?elicitationId=x" : undefined;
        const answers = [{ label: request.message, value: request.message }];
        const { text, blocks } = requestMessage(request, { person: "UADA", link, answers, handsOver });
        expect(checkBlocks(blocks)).toEqual([]);
        const parts = {
          channel: "C1",
          ts: "1",
          threadTs: undefined,
          user: "U0APP",
          isFromApp: true,
          text,
          blocks,
          metadata: undefined,
          updates: 0,
          streamingState: undefined,
          streamedSince: 0,
        };
        expect(notificationsOf(parts).filter(({ who }) => who !== "UADA")).toEqual([]);
        expect(text.length).toBeGreaterThan(0);
        const links = buttonsOf({ blocks }).flatMap(({ url }) => (typeof url === "string" ? [url] : []));
        const origins = new Set(links.map((url) => new URL(url).origin));
        expect([...origins].filter((origin) => !hasLink || origin !== "https://auth.example.com")).toEqual(
          [],
        );
      }),
    );
  });

  test("Slack accepts the modal, or the kit gives a reason why there is none", () => {
    let shown = 0;
    fc.assert(
      fc.property(anyRequest, (request) => {
        const made = requestModal(request, { language: slackLanguageFor("de") });
        if (!made.ok) return;
        shown += 1;
        expect(checkModal(made.view)).toEqual([]);
        expect(new TextEncoder().encode(JSON.stringify(made.view)).byteLength).toBeLessThan(250_000);
      }),
    );
    expect(shown).toBeGreaterThan(20);
  });
});
