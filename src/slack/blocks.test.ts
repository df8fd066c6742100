import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ElicitationRequest, FormElicitationRequest } from "../protocol/contract.ts";
import { formRequest, question, urlRequest } from "../protocol/testing/requests.ts";
import { de } from "../catalogues/de.ts";
import { requestMessage } from "./request-message.ts";
import { requestModal } from "./request-modal.ts";
import { notificationsOf } from "./testing/notifications.ts";
import { buttonsOf, checkBlocks, checkModal } from "./testing/index.ts";

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
  resolution: fc.option(
    fc.record({
      outcome: fc.constantFrom("accepted", "declined", "expired", "withdrawn", "failed", "cancelled"),
      at: fc.constant("2026-11-23T12:00:00Z"),
    }),
    { nil: undefined },
  ),
});
const anyForm = fc
  .tuple(base, fc.array(fc.tuple(name, described), { maxLength: 12 }), fc.boolean())
  .map(([common, properties, required]): FormElicitationRequest => {
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
    return formRequest({ ...common, context, requestedSchema: schema });
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

describe("any request", () => {
  test("has a message that Slack accepts, which mentions only the person who is asked and links only the hosted page", () => {
    fc.assert(
      fc.property(anyRequest, fc.boolean(), (request, hasLink) => {
        const link = hasLink ? "https://auth.example.com/auth/answer?elicitationId=x" : undefined;
        const answers = [{ label: request.message, value: request.message }];
        const { text, blocks } = requestMessage(request, { person: "UADA", link, answers });
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

  test("has a modal that Slack accepts, or a reason why it has none", () => {
    let shown = 0;
    fc.assert(
      fc.property(anyRequest, (request) => {
        const made = requestModal(request, { catalogue: de });
        if (!made.ok) return;
        shown += 1;
        expect(checkModal(made.view)).toEqual([]);
        expect(new TextEncoder().encode(JSON.stringify(made.view)).byteLength).toBeLessThan(250_000);
      }),
    );
    expect(shown).toBeGreaterThan(20);
  });
});

const find = (blocks: readonly object[], type: string) =>
  JSON.stringify(blocks.find((block) => "type" in block && block.type === type));

test("a question with a link shows a button that opens it, who asks, who is asked and the expiry", () => {
  const { blocks, text } = requestMessage(
    urlRequest({ expiresAt: "2026-11-23T12:00:00Z", service: { name: "Tracker" } }),
    { person: "UADA", link: "https://auth.example.com/auth/answer?elicitationId=url-1" },
  );
  expect(text).toBe("Connect Tracker: To list your repositories, GitHub needs your permission.");
  const actions = find(blocks, "actions");
  expect(actions).toContain('"url":"https://auth.example.com/auth/connect?elicitationId=url-1"');
  expect(actions).toContain("I’ve finished");
  const small = find(blocks, "context");
  for (const part of [
    "Acme Assistant",
    "For <@UADA>",
    "<!date^1795435200^{date_short_pretty} {time}|2026-11-23 12:00 UTC>",
  ]) {
    expect(small).toContain(part);
  }
});

test("an unsafe link is shown as text, and the person can only decline", () => {
  const { blocks } = requestMessage(urlRequest({ url: "https://good.example@evil.example" }));
  expect(JSON.stringify(blocks)).not.toContain('"url"');
  expect(JSON.stringify(blocks)).toContain("This link is not safe");
  expect(find(blocks, "actions")).not.toContain("elicit_kit:accept");
});

test("a suspicious link shows a warning before the person opens it, and a note alone changes no button", () => {
  const imitation = requestMessage(urlRequest({ url: "https://аррӏе.com/" }));
  expect(JSON.stringify(imitation.blocks)).toMatch(/This is not apple\.com\. .*Connect anyway/);
  const local = requestMessage(urlRequest({ url: "http://127.0.0.1:4120/auth" }));
  expect(JSON.stringify(local.blocks)).toContain(
    "Link to 127.0.0.1:4120. Local development address. The address is a number instead of a name. The address has an unusual port.",
  );
  expect(JSON.stringify(local.blocks)).toContain('"text":"Connect"');
});

test("a page that has reported a problem can be opened again, and the message shows the problem", () => {
  const request = urlRequest({ progress: { status: "pending", lastError: "You cancelled." } });
  expect(JSON.stringify(requestMessage(request).blocks)).toMatch(
    /You can try again\. You cancelled\..*Try again/,
  );
});

test("a form that asks for nothing is confirmed in the message, and any other opens a modal", () => {
  const consent = formRequest({ requestedSchema: { type: "object", properties: {} } });
  expect(find(requestMessage(consent).blocks, "actions")).toContain("elicit_kit:accept");
  expect(find(requestMessage(formRequest()).blocks, "actions")).toContain("elicit_kit:answer");
});

test.each([
  ["asks for a secret", { type: "string", title: "Password" }],
  ["wants more text than Slack's inputs take", { type: "string", minLength: 3001 }],
  ["begins with more text than Slack's inputs take", { type: "string", default: "x".repeat(3001) }],
])(
  "a form that %s is answered on the hosted page, and without one it cannot be answered",
  (_title, schema) => {
    const request = question(schema);
    const link = "https://auth.example.com/auth/answer?elicitationId=form-1";
    expect(find(requestMessage(request, { link }).blocks, "actions")).toContain(`"url":"${link}"`);
    expect(JSON.stringify(requestMessage(request).blocks)).toContain("This form cannot be shown.");
    expect(requestModal(request).ok).toBe(false);
  },
);

test("a form of 40 fields fits in a modal, and one of 99 is answered on the page", () => {
  const form = (count: number) =>
    formRequest({
      requestedSchema: {
        type: "object",
        properties: Object.fromEntries(
          Array.from({ length: count }, (_, i) => [`f${i}`, { type: "string" }]),
        ),
      },
    });
  const forty = requestModal(form(40));
  expect(forty.ok && checkModal(forty.view)).toEqual([]);
  expect(requestModal(form(99))).toEqual({ ok: false, because: "page" });
});

const element = (schema: object, required = false, context?: FormElicitationRequest["context"]) => {
  const made = requestModal(question(schema, required, context));
  if (!made.ok) throw new Error(made.because);
  return made.view.blocks.at(-1)?.["element"];
};
const list = (count: number) => Array.from({ length: count }, (_, index) => `o${index}`);

test.each<[string, object, boolean, object]>([
  [
    "text",
    { type: "string", minLength: 2, maxLength: 9 },
    true,
    { type: "plain_text_input", min_length: 2, max_length: 18 },
  ],
  ["long text", { type: "string", maxLength: 500 }, true, { type: "plain_text_input", multiline: true }],
  ["email", { type: "string", format: "email" }, true, { type: "email_text_input" }],
  ["URL", { type: "string", format: "uri" }, true, { type: "url_text_input" }],
  [
    "date",
    { type: "string", format: "date", default: "2026-11-23" },
    true,
    { type: "datepicker", initial_date: "2026-11-23" },
  ],
  [
    "date and time",
    { type: "string", format: "date-time", default: "2026-11-23T12:00:00Z" },
    true,
    { type: "datetimepicker", initial_date_time: 1795435200 },
  ],
  [
    "number",
    { type: "number", minimum: 0.5 },
    true,
    { type: "number_input", is_decimal_allowed: true, min_value: "0.5" },
  ],
  [
    "whole number",
    { type: "integer", minimum: 0.5, maximum: 9.5, default: 3 },
    true,
    { is_decimal_allowed: false, min_value: "1", max_value: "9", initial_value: "3" },
  ],
  ["required yes or no", { type: "boolean" }, true, { type: "radio_buttons" }],
  [
    "optional yes or no",
    { type: "boolean", default: true },
    false,
    { type: "static_select", initial_option: { value: "0" } },
  ],
  ["few options", { type: "string", enum: list(5) }, true, { type: "radio_buttons" }],
  [
    "100 options",
    { type: "string", enum: list(100) },
    true,
    { type: "static_select", options: { length: 100 } },
  ],
  [
    "200 options",
    { type: "string", enum: list(200) },
    true,
    { type: "static_select", option_groups: { length: 2 } },
  ],
  ["1,000 options", { type: "string", enum: list(1000) }, true, { type: "external_select" }],
  [
    "several of 10",
    { type: "array", items: { type: "string", enum: list(10) } },
    true,
    { type: "checkboxes" },
  ],
  [
    "several of 50",
    { type: "array", items: { type: "string", enum: list(50) }, maxItems: 3 },
    true,
    { type: "multi_static_select", max_selected_items: 3 },
  ],
  [
    "several of 1,000",
    { type: "array", items: { type: "string", enum: list(1000) } },
    true,
    { type: "multi_external_select" },
  ],
])("%s gets the matching Slack input", (_title, schema, required, expected) => {
  expect(element(schema, required)).toMatchObject(expected);
});

test("a rating offers each of its steps", () => {
  const context = { trigger: "tool", fields: { value: { control: "rating" } } };
  const rating = element({ type: "integer", minimum: 1, maximum: 5, default: 4 }, true, context);
  expect(rating).toMatchObject({
    type: "static_select",
    options: { length: 5 },
    initial_option: { text: { text: "4" }, value: "3" },
  });
});

test("a modal that is opened again starts with what the person typed before", () => {
  const made = requestModal(formRequest(), { drafts: { city: "Rome" } });
  expect(made.ok && made.view.blocks.find((block) => block["block_id"] === "field:0")).toMatchObject({
    element: { initial_value: "Rome" },
  });
});
