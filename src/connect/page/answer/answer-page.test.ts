import { expect, test } from "vitest";
import type { FormQuestion, RuntimeOptions, User } from "../../../runtime/index.ts";
import { ownWordsQuestion, previewQuestion, reviewRequest } from "../../../contract/testing/requests.ts";
import { contentOf, hiddenFields } from "../../../../test/stages/browser.ts";
import { createChatClient } from "../../../../test/stages/chat-client.ts";
import { ANSWER, TRIP, send, stageAnswerPage } from "../../../../test/stages/answer-page-stage.ts";
import { AUTH } from "../../../../test/stages/page-stage.ts";
import { asking, createTestRuntime, text as say } from "../../../../test/stages/test-runtime.ts";

const UNKNOWN = "AAAAAAAAAAAAAAAAAAAAAA";

test("answering a form on its page ends the same turn", async () => {
  const s = await stageAnswerPage();
  expect(s.url).toBe(`${ANSWER}?elicitationId=${s.elicitationId}`);
  expect(s.shown.text).toContain("<b><bdi>Hotel assistant</bdi></b> asks you:");
  expect(s.shown.text).toContain("Where to, and for how long?");
  expect(s.shown.text).toMatch(
    /name="f1" value="2"\s+type="text" inputmode="numeric" autocomplete="off" dir="auto"/,
  );
  const done = await s.browser.follow(await send(s, s.shown, { f0: "Lisbon", f1: "3" }));
  expect(done.text).toContain("<h1>Sent</h1>");
  expect(done.text).toContain("Your chat goes on by itself.");
  expect(await s.result()).toEqual({ outcome: "accepted", content: { city: "Lisbon", nights: 3 } });
  expect([...s.errors, ...s.runtime.errors]).toEqual([]);
});

test("a user answers a choice with one press on the page, where the tool says so", async () => {
  const s = await stageAnswerPage({
    ...TRIP,
    context: { trigger: "tool", send: "on-press" },
    requestedSchema: {
      type: "object",
      required: ["size"],
      properties: { size: { type: "string", title: "Size", enum: ["Small", "Large"] } },
    },
  });
  expect(s.shown.text).toMatch(/<button class="option" type="submit" form="answer"\s+name="f0" value="1">/);
  expect(s.shown.text).not.toContain('value="accept">Send');
  await send(s, s.shown, { f0: "1" });
  expect(await s.result()).toEqual({ outcome: "accepted", content: { size: "Large" } });
});

test("the page shows the preview of an option with it, as text", async () => {
  const { message, requestedSchema } = previewQuestion();
  const s = await stageAnswerPage({ ...TRIP, message, requestedSchema });
  expect(s.shown.text).toMatch(
    /value="0"\s+aria-describedby="f0-preview-0"[^]*?<pre\s+class="preview"\s+id="f0-preview-0"\s+tabindex="0"\s+role="group"\s+aria-label="Table"\s+dir="auto"\s*>\n\| Change {3}\|/,
  );
  expect(s.shown.text.match(/<pre/g)).toHaveLength(2);
  await send(s, s.shown, { f0: "1" });
  expect(await s.result()).toEqual({ outcome: "accepted", content: { layout: "list" } });
});

test("the user leaves the decision to the agent on the page, where the tool has an answer of its own", async () => {
  const s = await stageAnswerPage({ ...TRIP, fallback: { city: "Lisbon", nights: 2 }, delegate: true });
  expect(s.shown.text).toContain("You decide");
  // The browser sends the fields of the form with it.
  const done = await s.browser.follow(await send(s, s.shown, { action: "delegate", f0: "Rome", f1: "3" }));
  expect(done.text).toContain("<h1>You left this to the assistant</h1>");
  const content = { city: "Lisbon", nights: 2 };
  expect(await s.result()).toEqual({ outcome: "accepted", content, delegated: true });
  expect((await stageAnswerPage()).shown.text).not.toContain("You decide");
});

test("the user answers a question on the page while the agent works, and the agent continues with it", async () => {
  const s = await stageAnswerPage(
    TRIP,
    {},
    {
      async *runTurn(turn) {
        yield { type: "start", messageId: turn.id };
        turn.background.run({ toolCallId: "call-1", tool: "book_hotel" }, () =>
          turn.ask({ ...TRIP, toolCallId: "call-1" }),
        );
        yield* say("It is sunny.");
        for (const { output } of await turn.background.next()) yield* say(JSON.stringify(output));
        yield { type: "finish" };
      },
    },
  );
  expect(s.stream.chunks).toContainEqual(expect.objectContaining({ delta: "It is sunny." }));
  const done = await s.browser.follow(await send(s, s.shown, { f0: "Lisbon", f1: "3" }));
  expect(done.text).toContain("Your chat goes on by itself.");
  await s.stream.done;
  const deltas = s.stream.chunks.filter(({ type }) => type === "text-delta").map(({ delta }) => delta);
  expect(deltas).toEqual([
    "It is sunny.",
    JSON.stringify({ outcome: "accepted", content: { city: "Lisbon", nights: 3 } }),
  ]);
  expect([...s.errors, ...s.runtime.errors]).toEqual([]);
});

test("the user approves a tool call on the page, and may change what the tool lets them", async () => {
  const { message, context, requestedSchema } = reviewRequest();
  const s = await stageAnswerPage({
    ...TRIP,
    message,
    context,
    requestedSchema,
    tool: { id: "refund", name: "refund" },
    remember: { scope: "conversation" },
  });
  const text = contentOf(s.shown);
  expect(text).toContain("Refund an order");
  expect(s.shown.text).toMatch(/<dt dir="auto">Order<\/dt>\s*<dd dir="auto">A-1742<\/dd>/);
  expect(s.shown.text).toMatch(/<dt dir="auto">Notify the customer<\/dt>\s*<dd dir="auto">Yes<\/dd>/);
  expect(text).toContain("Allow this tool for this conversation");
  expect(s.shown.text).toMatch(/value="accept">\s*Approve\s*<\/button>/);
  const done = await s.browser.follow(await send(s, s.shown, { f0: "30" }));
  expect(done.text).toContain("<h1>Approved</h1>");
  expect(await s.result()).toEqual({ outcome: "accepted", content: { euros: 30 } });
});

test("the record of an answer says that the user answered on the page", async () => {
  const s = await stageAnswerPage();
  await send(s, s.shown, { action: "decline" });
  expect(await s.runtime.elicitations.get(s.elicitationId)).toMatchObject({
    status: "declined",
    changedBy: { userId: "ada", through: "page", at: s.runtime.clock.now() },
  });
});

test("'Not you?' on the page of a form asks first, then says that no answer was sent", async () => {
  const s = await stageAnswerPage();
  const asked = await s.browser.post(`${AUTH}/auth/forget`, hiddenFields(s.shown));
  expect(asked.text).toContain('value="forget"');
  const fields = { ...hiddenFields(asked), answer: "forget" };
  const forgotten = await s.browser.post(`${AUTH}/auth/forget`, fields);
  expect(forgotten.text).toContain("nothing was sent");
  expect(contentOf(forgotten)).not.toContain("press Connect");
  expect(await s.status()).toBe("pending");
});

test.each([
  ["decline", "declined", "You declined"],
  ["cancel", "cancelled", "Dismissed"],
])("a %s on the page reaches the agent", async (action, outcome, title) => {
  const s = await stageAnswerPage();
  const ended = await s.browser.follow(await send(s, s.shown, { action, f0: "not sent" }));
  expect(ended.text).toContain(`<h1>${title}</h1>`);
  expect(await s.result()).toEqual({ outcome });
});

test("a decline with a note on the page reaches the agent, and Enter in the note declines", async () => {
  const s = await stageAnswerPage();
  expect(s.shown.text).toMatch(/<summary><svg[^]*?<\/svg>No, and …<\/summary>/);
  expect(s.shown.text).toContain("Only Hotel assistant reads this");
  expect(s.shown.text).toMatch(/name="note"\s+form="decline"\s+dir="auto"\s+maxlength="500"/);
  const note = "something by the sea";
  const ended = await s.browser.follow(await send(s, s.shown, { action: "decline", note }));
  expect(ended.text).toContain("<h1>You declined</h1>");
  expect(await s.result()).toEqual({ outcome: "declined", note });
});

test("a note of more than 500 characters is refused, and the form stays open", async () => {
  const s = await stageAnswerPage();
  const refused = await send(s, s.shown, { action: "decline", note: "\u{1F30A}".repeat(501) });
  expect(refused.status).toBe(400);
  expect(await s.status()).toBe("pending");
  await send(s, s.shown, { action: "decline", note: "\u{1F30A}".repeat(500) });
  expect(await s.result()).toMatchObject({ outcome: "declined", note: expect.any(String) });
});

test("the page of a third party's form offers no note, and a submitted note is ignored", async () => {
  const s = await stageAnswerPage({
    ...TRIP,
    requester: { name: "Hotel assistant", claimedName: "Some server" },
  });
  expect(s.shown.text).not.toContain("No, and …");
  await send(s, s.shown, { action: "decline", note: "for my agent only" });
  expect(await s.result()).toEqual({ outcome: "declined" });
});

test.each([
  ["radio buttons", 9, /Plan 2 <\/span\s*><span class="recommended">.*<bdi>usual<\/bdi>/s],
  ["a list", 16, /<option value="2"\s*>Plan 2 · usual<\/option>/],
])("a recommended option of %s is marked, and not preselected", async (_, count, mark) => {
  const oneOf = Array.from({ length: count }, (__, index) => ({
    const: `p${index}`,
    title: `Plan ${index}`,
  }));
  const s = await stageAnswerPage({
    ...TRIP,
    context: { trigger: "tool", fields: { plan: { recommended: { value: "p2", word: "usual" } } } },
    requestedSchema: { type: "object", properties: { plan: { type: "string", title: "Plan", oneOf } } },
  });
  expect(s.shown.text).toMatch(mark);
  expect(contentOf(s.shown)).not.toMatch(/checked|selected/);
});

test("an invalid answer is shown again with the user's input and the errors, until it is valid", async () => {
  const s = await stageAnswerPage();
  const again = await send(s, s.shown, { f0: 'X"', f1: "many" });
  expect(again.status).toBe(422);
  expect(again.text).toContain("Please check these answers.");
  expect(again.text).toContain('<a href="#f0">City</a>');
  expect(again.text).toContain("At least 3 characters, please.");
  expect(again.text).toContain("Please enter a number.");
  expect(again.text).toContain('value="X&quot;"');
  expect(again.text).toContain('value="many"');
  expect(again.text).toContain('aria-describedby="f0-error" aria-invalid="true"');
  expect(await s.status()).toBe("pending");
  await send(s, again, { f0: "Porto", f1: "" });
  expect(await s.result()).toEqual({ outcome: "accepted", content: { city: "Porto" } });
});

test("an answer of every kind of question is read correctly", async () => {
  const properties = {
    mail: { type: "string", format: "email" },
    when: { type: "string", format: "date-time", default: "2027-01-01T10:00:00+05:45" },
    note: { type: "string", maxLength: 500 },
    cabin: { type: "string", enum: ["a", "b"], default: "a" },
    extras: { type: "array", items: { type: "string", enum: ["x", "y", "z"] } },
    flexible: { type: "boolean", default: true },
    window: { type: "boolean" },
    agreed: { type: "boolean" },
    __proto__x: { type: "number" },
  };
  const requestedSchema = { type: "object" as const, properties, required: ["agreed"] };
  const s = await stageAnswerPage({ ...TRIP, requestedSchema });
  expect(s.shown.text).toContain('value="2027-01-01T10:00:00"');
  expect(s.shown.text).toMatch(/<option value="\+05:45"\s+selected>UTC\+05:45<\/option>/);
  expect(s.shown.text).toMatch(/name="f5" value="yes"\s+checked/);
  await send(s, s.shown, {
    f0: "ada@example.com",
    f1: "2027-02-03T08:30",
    f1z: "-03:00",
    f2: "two\r\nlines",
    f3: "1",
    f4: ["0", "2"],
    f7: "no",
    f8: "1.5",
  });
  expect(await s.result()).toEqual({
    outcome: "accepted",
    content: {
      mail: "ada@example.com",
      when: "2027-02-03T08:30:00-03:00",
      note: "two\nlines",
      cabin: "b",
      extras: ["x", "z"],
      flexible: false,
      agreed: false,
      __proto__x: 1.5,
    },
  });
});

test("a single yes-or-no question offers both answers, and neither is preselected", async () => {
  const requestedSchema = {
    type: "object" as const,
    properties: { ok: { type: "boolean", title: "Go on?" } },
    required: ["ok"],
  };
  const s = await stageAnswerPage({ ...TRIP, requestedSchema });
  expect(contentOf(s.shown)).not.toContain("checked");
  expect((await send(s, s.shown, {})).text).toContain("Please fill this in.");
  await send(s, s.shown, { f0: "no" });
  expect(await s.result()).toEqual({ outcome: "accepted", content: { ok: false } });
});

test.each<[string, Record<string, unknown>]>([
  ["a choice", { type: "string", enum: ["a", "b"] }],
  ["a yes or no", { type: "boolean" }],
  ["a rating", { type: "integer", minimum: 1, maximum: 5 }],
])("%s that may stay empty can be emptied again", async (_, value) => {
  const s = await stageAnswerPage({
    ...TRIP,
    context: { trigger: "tool", fields: { value: { control: "rating" } } },
    requestedSchema: { type: "object", properties: { value } },
  });
  expect(s.shown.text).toMatch(/type="radio"\s+name="f0" value=""[^]*Not set/);
  await send(s, s.shown, { f0: "" });
  expect(await s.result()).toEqual({ outcome: "accepted", content: {} });
});

test.each([
  [{ type: "integer", enum: [1, 2, 3, 4], default: 1 }, 2],
  [{ type: "string", enum: ["1", "0", "2"], default: "1" }, "0"],
])(
  "another option than the preselected one is answered, whatever the values are: %j",
  async (value, chosen) => {
    const requestedSchema = { type: "object" as const, properties: { value } };
    const s = await stageAnswerPage({ ...TRIP, requestedSchema });
    // The options are sent by their index.
    expect(s.shown.text).toMatch(/name="f0" value="0"\s+checked/);
    await send(s, s.shown, { f0: "1" });
    expect(await s.result()).toEqual({ outcome: "accepted", content: { value: chosen } });
  },
);

test("a rating on the page is answered with one of its steps", async () => {
  const s = await stageAnswerPage({
    ...TRIP,
    context: { trigger: "tool", fields: { stars: { control: "rating" } } },
    requestedSchema: {
      type: "object",
      properties: { stars: { type: "integer", minimum: 1, maximum: 5, default: 3 } },
    },
  });
  expect(s.shown.text).toMatch(/name="f0" value="3"\s+checked/);
  expect(s.shown.text).not.toContain("Not set");
  await send(s, s.shown, { f0: "5" });
  expect(await s.result()).toEqual({ outcome: "accepted", content: { stars: 5 } });
});

test("the page says how long a text of several lines may be", async () => {
  const requestedSchema = {
    type: "object" as const,
    properties: { note: { type: "string", maxLength: 500 }, name: { type: "string", maxLength: 100 } },
  };
  const s = await stageAnswerPage({ ...TRIP, requestedSchema });
  expect(s.shown.text).toContain("At most 500 characters, please.");
  expect(s.shown.text).not.toContain("At most 100 characters");
});

test("a choice may be answered with free text below its options", async () => {
  const { requestedSchema } = ownWordsQuestion();
  const s = await stageAnswerPage({ ...TRIP, requestedSchema });
  expect(s.shown.text).toMatch(/<textarea\s+class="own-words"\s+id="f1"\s+name="f1"/);
  expect(s.shown.text.match(/<fieldset|<div class="field"/g)).toHaveLength(1);
  const again = await send(s, s.shown, {});
  expect(again.text).toContain("Choose one, or say it in your own words.");
  const long = await send(s, again, { f0: "0", f1: "x".repeat(501) });
  expect(long.text).toContain("At most 500 characters, please.");
  await send(s, long, { f0: "0", f1: "By the exit" });
  expect(await s.result()).toEqual({ outcome: "accepted", content: { seat_other: "By the exit" } });
});

test.each([
  ["its schema", "Which?", { type: "string", title: "API key", format: "password" }],
  ["its title", "Which?", { type: "string", title: "API key" }],
  ["the message", "What is your API key?", { type: "string", title: "Answer" }],
])(
  "a form that asks for a secret by %s shows a warning, requires a confirmation, and never returns the secret",
  async (_, message, key) => {
    const requestedSchema = { type: "object" as const, properties: { key } };
    const s = await stageAnswerPage({ ...TRIP, message, requestedSchema });
    expect(s.shown.text).toContain(`This form asks for something secret (${key.title}).`);
    const again = await send(s, s.shown, { f0: "hunter2" });
    expect([again.status, again.text.includes("hunter2")]).toEqual([422, false]);
    expect(again.text).toContain('<a href="#secrets">');
    expect(await s.status()).toBe("pending");
    await send(s, again, { f0: "hunter2", secrets: "yes" });
    expect(await s.result()).toEqual({ outcome: "accepted", content: { key: "hunter2" } });
  },
);

test("a secret date and time is not returned either", async () => {
  const properties = { expiry: { type: "string", format: "date-time", title: "Expiry of the password" } };
  const key = { key: { type: "string", title: "Password", maxLength: 4000 } };
  const s = await stageAnswerPage({
    ...TRIP,
    message: "Type your password and PIN.",
    requestedSchema: { type: "object", properties: { ...properties, ...key } },
  });
  const again = await send(s, s.shown, { f0: "2027-02-03T08:30", f0z: "Z", f1: "hunter\r\n2" });
  expect([again.status, again.text.includes("2027-02-03"), again.text.includes("hunter")]).toEqual([
    422,
    false,
    false,
  ]);
});

test("the browser of another user gets the same page for a form as for an unknown id", async () => {
  const session = (request: Request): User | undefined =>
    request.headers.get("cookie")?.includes("session=bob") === true ? { id: "bob" } : undefined;
  const s = await stageAnswerPage(TRIP, { session });
  for (const isSignedIn of [false, true]) {
    const bob = s.newBrowser("bob");
    if (isSignedIn) bob.setCookie(AUTH, "session", "bob");
    const see = async (id: string) => {
      const { status, text } = await bob.visit(`${ANSWER}?elicitationId=${id}`);
      return [status, text.replaceAll(id, "ID")];
    };
    const nothing = await see(UNKNOWN);
    expect(nothing[0]).toBe(404);
    expect(await see(s.elicitationId)).toEqual(nothing);
  }
  expect(await s.status()).toBe("pending");
});

test("the link also works in another browser of the same user", async () => {
  const s = await stageAnswerPage();
  const phone = s.newBrowser("ada");
  const page = await phone.visit(s.url);
  await phone.post(ANSWER, { ...hiddenFields(page), action: "accept", f0: "Lisbon" });
  expect(await s.result()).toMatchObject({ outcome: "accepted" });
});

test.each<[string, Record<string, string>, Record<string, string>, number]>([
  ["a wrong token", { csrf: "x".repeat(43) }, {}, 403],
  ["another site's form", {}, { "sec-fetch-site": "cross-site" }, 403],
  ["no action", { action: "" }, {}, 400],
  ["an action that is none", { action: "complete" }, {}, 400],
])("%s is not taken as an answer", async (_, fields, headers, expected) => {
  const s = await stageAnswerPage();
  const page = await send(s, s.shown, { f0: "Lisbon", ...fields }, headers);
  expect(page.status).toBe(expected);
  expect(await s.status()).toBe("pending");
});

test("a browser whose proof has expired must start again, and its answer does not count", async () => {
  const s = await stageAnswerPage();
  s.runtime.clock.advance(5 * 60_000);
  const page = await send(s, s.shown, { f0: "Lisbon" });
  expect([page.status, page.headers.get("location")]).toEqual([
    303,
    `${AUTH}/auth/connect?elicitationId=${s.elicitationId}`,
  ]);
  expect(await s.status()).toBe("pending");
});

test("after a request has ended, its page shows the outcome, and accepts no other answer", async () => {
  const s = await stageAnswerPage();
  await s.runtime.elicitations.decline(s.elicitationId);
  const ended = await s.browser.follow(await send(s, s.shown, { f0: "Lisbon" }));
  expect(ended.text).toContain("<h1>You declined</h1>");
  expect(ended.text).not.toContain("<form");
  expect(await s.result()).toEqual({ outcome: "declined" });
  // So does the link in another browser of the same user.
  expect((await s.newBrowser("ada").visit(s.url)).text).toContain("<h1>You declined</h1>");
  expect((await s.newBrowser("bob").visit(s.url)).status).toBe(404);
});

test("pressing Send twice sends one answer", async () => {
  const s = await stageAnswerPage();
  const pages = await Promise.all([send(s, s.shown, { f0: "Lisbon" }), send(s, s.shown, { f0: "Lisbon" })]);
  expect(pages.map(({ status }) => status)).toEqual([303, 303]);
  expect(await s.result()).toEqual({ outcome: "accepted", content: { city: "Lisbon" } });
});

test("text from the agent is shown as plain text", async () => {
  const evil = '"><script>alert(1)</script></textarea>';
  const properties = {
    [evil]: { type: "string", title: evil, description: evil, default: evil, maxLength: 400 },
    list: { type: "string", oneOf: [{ const: evil, title: evil }] },
  };
  const s = await stageAnswerPage({
    ...TRIP,
    message: evil,
    requester: { name: evil, claimedName: evil },
    requestedSchema: { type: "object", properties },
  });
  expect(s.shown.text).not.toContain("<script>alert");
  expect(s.shown.text.match(/<textarea/g)).toHaveLength(1);
  await send(s, s.shown, { f0: evil, f1: "0" });
  expect(await s.result()).toEqual({ outcome: "accepted", content: { [evil]: evil, list: evil } });
});

test("an answer of more than 64 KiB is refused", async () => {
  const s = await stageAnswerPage();
  expect((await send(s, s.shown, { f0: "x".repeat(250_000) })).status).toBe(413);
  expect(s.errors).toEqual([]);
  const again = await send(s, s.shown, { f0: "x".repeat(70_000) });
  expect(again.status).toBe(422);
  expect(again.text).toContain("Please check this answer.");
  expect(await s.status()).toBe("pending");
});

test("a form uses the language of the browser", async () => {
  const s = await stageAnswerPage();
  const headers = { "accept-language": "fr", "sec-fetch-dest": "document" };
  const { text } = await s.browser.visit(s.url, { headers });
  expect(text).toContain('<html lang="fr" dir="ltr">');
  expect(text).toContain("vous demande :");
  expect(text).toMatch(/value="accept">\s*(Envoyer|Valider)/);
});

test("without a hosted page, there is no link to a form", () => {
  const { elicitations } = createTestRuntime(asking(TRIP));
  expect(elicitations.linkFor("x")).toBeUndefined();
});

const ALWAYS: FormQuestion = { ...TRIP, remember: true, tool: { id: "hotels", name: "book_hotel" } };

test("an answer that the user lets be remembered is used for the next question of the tool, and the record says who allowed it", async () => {
  const s = await stageAnswerPage(ALWAYS);
  expect(s.shown.text).toContain("Use this answer again for 30 days");
  expect(s.shown.text).toContain("Only when this tool asks exactly this again.");
  // A form that is shown again keeps the tick.
  const again = await send(s, s.shown, { f0: "X", remember: "yes" });
  expect(again.text).toMatch(/name="remember"\s+value="yes"[^>]*checked/);
  await send(s, again, { f0: "Lisbon", remember: "yes" });
  await s.stream.done;
  expect(await s.runtime.elicitations.get(s.elicitationId)).toMatchObject({
    status: "accepted",
    remembered: "kept",
    changedBy: { userId: "ada", through: "page" },
  });
  const next = await createChatClient(s.runtime.fetch, { user: "ada" }).send("c2");
  await next.done;
  expect(JSON.stringify(next.chunks)).toMatch(/"remembered":"[0-9a-f]{64}"/);
});

test("an answer is not remembered if the user has not ticked the checkbox", async () => {
  const s = await stageAnswerPage(ALWAYS);
  expect(s.shown.text).not.toMatch(/name="remember"[^>]*checked/);
  await send(s, s.shown, { f0: "Lisbon" });
  expect(await s.runtime.elicitations.remembered?.list("ada")).toEqual([]);
});

const ASSIGN: RuntimeOptions["assign"] = { may: () => true, nameOf: ({ user, group }) => user ?? group };
const SECRET: FormQuestion["requestedSchema"] = {
  type: "object",
  properties: { key: { type: "string", title: "API key" } },
};

test.each<[string, FormQuestion, string]>([
  ["without that option", TRIP, "ada"],
  ["for a secret", { ...ALWAYS, requestedSchema: SECRET }, "ada"],
  ["that is assigned to another user", { ...ALWAYS, assignee: { user: "bob" } }, "bob"],
])(
  "the page of a form %s has no checkbox to remember the answer, and a submitted one is ignored",
  async (_, question, by) => {
    const s = await stageAnswerPage(question, {}, { assign: ASSIGN });
    const browser = s.newBrowser(by);
    const page = await browser.visit(s.url);
    expect(page.text).not.toContain('name="remember"');
    await send({ ...s, browser }, page, { f0: "Lisbon", secrets: "yes", remember: "yes" });
    expect(await s.result()).toMatchObject({ outcome: "accepted" });
    for (const user of ["ada", "bob"]) {
      expect(await s.runtime.elicitations.remembered?.list(user)).toEqual([]);
    }
  },
);
