import { expect, test } from "vitest";
import { formRequest, question, reviewRequest, urlRequest } from "../../../src/contract/testing/requests.ts";
import { requestMessage } from "./request-message.ts";
import { slackLanguageFor } from "../people/person-language.ts";
import { requestModal } from "./request-modal.ts";

const find = (blocks: readonly object[], type: string) =>
  JSON.stringify(blocks.find((block) => "type" in block && block.type === type));

test("a request with a link shows a button that opens it, the requester, the user who is asked and the expiry", () => {
  const { blocks, text } = requestMessage(
    urlRequest({ expiresAt: "2026-11-23T12:00:00Z", service: { name: "Tracker" } }),
    { person: "UADA", link: "https://auth.example.com/auth/answer?elicitationId=url-1" },
  );
  expect(text).toBe("Connect Tracker: To list your repositories, GitHub needs your permission.");
  const actions = find(blocks, "actions");
  expect(actions).toContain('"url":"https://auth.example.com/auth/connect?elicitationId=url-1"');
  expect(actions).not.toContain("I’ve finished");
  const small = find(blocks, "context");
  for (const part of [
    "Acme Assistant",
    "For <@UADA>",
    "<!date^1795435200^{date_short_pretty} {time}|2026-11-23 12:00 UTC>",
  ]) {
    expect(small).toContain(part);
  }
});

test("a message and its modal are in the same language", () => {
  const language = slackLanguageFor("de");
  const message = requestMessage(formRequest(), { language, person: "UADA" });
  expect(JSON.stringify(message.blocks)).toContain("Für <@UADA>");
  expect(find(message.blocks, "actions")).toContain("Antworten …");
  expect(JSON.stringify(requestModal(formRequest(), { language }))).toContain("Absenden");
});

test("an unsafe link is shown as text, and the user can only decline", () => {
  const { blocks } = requestMessage(urlRequest({ url: "https://good.example@evil.example" }));
  expect(JSON.stringify(blocks)).not.toContain('"url"');
  expect(JSON.stringify(blocks)).toContain("This link is not safe");
  expect(find(blocks, "actions")).not.toContain("elicit_kit:accept");
});

test("a suspicious link shows a warning before the user opens it; a note without a warning changes no button", () => {
  const imitation = requestMessage(urlRequest({ url: "https://аррӏе.com/" }));
  expect(JSON.stringify(imitation.blocks)).toMatch(/This is not apple\.com\. .*Connect anyway/);
  const local = requestMessage(urlRequest({ url: "http://127.0.0.1:4120/auth" }));
  expect(JSON.stringify(local.blocks)).toContain('"Link to 127.0.0.1:4120 · Local development address"');
  expect(JSON.stringify(local.blocks)).toContain('"text":"Connect"');
});

test("a page that has reported a problem can be opened again, and the message shows the problem", () => {
  const request = urlRequest({ progress: { status: "pending", lastError: "You cancelled." } });
  expect(JSON.stringify(requestMessage(request).blocks)).toMatch(
    /You can try again\. You cancelled\..*Try again/,
  );
});

test("the message shows a problem of the operator's own page in its words only, without *I’ve finished*", () => {
  const request = urlRequest({ progress: { status: "pending", lastError: "You cancelled." } });
  const { blocks } = requestMessage(request, { link: new URL("/auth/answer", request.url).href });
  expect(JSON.stringify(blocks)).toContain('"You cancelled."');
  expect(find(blocks, "actions")).not.toContain("I’ve finished");
});

test("the user can confirm that they have finished only after the page was opened", () => {
  const { blocks } = requestMessage(urlRequest({ progress: { status: "consented" } }));
  expect(find(blocks, "actions")).toMatch(/Open again.*I’ve finished/);
});

test("a form without questions is confirmed in the message, and any other opens a modal", () => {
  const consent = formRequest({ requestedSchema: { type: "object", properties: {} } });
  expect(find(requestMessage(consent).blocks, "actions")).toContain("elicit_kit:accept");
  expect(find(requestMessage(formRequest()).blocks, "actions")).toContain("elicit_kit:answer");
});

test.each([
  ["asks for a secret", { type: "string", title: "Password" }],
  ["asks for a secret in its message", { type: "string" }, "Type the 6 digits we texted you"],
  ["wants more text than Slack's inputs take", { type: "string", minLength: 3001 }],
  ["begins with more text than Slack's inputs take", { type: "string", default: "x".repeat(3001) }],
])(
  "a form that %s is answered on the hosted page, and cannot be answered without one",
  (_title, schema, message = "Which?") => {
    const request = { ...question(schema), message };
    const link = "https://auth.example.com/auth/answer?elicitationId=form-1";
    expect(find(requestMessage(request, { link }).blocks, "actions")).toContain(`"url":"${link}"`);
    expect(JSON.stringify(requestMessage(request).blocks)).toContain("This form cannot be shown.");
    expect(requestModal(request).ok).toBe(false);
  },
);

test("a single yes-or-no question is answered by buttons, below the question", () => {
  const request = { ...question({ type: "boolean", title: "Keep the dates?" }), message: "About your trip" };
  const { blocks } = requestMessage(request);
  expect(JSON.stringify(blocks)).toContain("Keep the dates?");
  expect(find(blocks, "actions")).toMatch(/"Yes".*"No".*"Not now".*"No, and …"/);
  expect(find(blocks, "actions")).not.toContain("elicit_kit:answer");
});

test("the receipt of an account shows which account was connected", () => {
  const resolution = {
    outcome: "accepted",
    at: "2026-11-23T12:00:00Z",
    account: "ada\u202e <!channel>",
  } as const;
  const { text } = requestMessage(urlRequest({ resolution, service: { name: "Tracker" } }));
  expect(text).toBe("✓ Tracker connected as ada &lt;!channel&gt;");
});

test("an approval shows the arguments of the tool, and is given with a button if nothing can be changed", () => {
  const requestedSchema = { type: "object" as const, properties: {} };
  const remember = { days: 30, scope: "conversation" };
  const { blocks } = requestMessage(reviewRequest({ requestedSchema, remember }));
  expect(find(blocks, "header")).toContain("Refund an order");
  expect(find(blocks, "section")).toContain("Order: A-1742\\nNotify the customer: Yes");
  expect(JSON.stringify(blocks)).toMatch(/"Approve".*"Decline".*"Not now".*"No, and …"/);
  expect(JSON.stringify(blocks)).toContain("Allow this tool for this conversation");
  const alone = reviewRequest({
    requestedSchema: { type: "object", properties: { urgent: { type: "boolean", title: "Urgent" } } },
  });
  // A no to the only value is no answer to the call.
  expect(find(requestMessage(alone).blocks, "actions")).not.toContain('"No"');
  expect(JSON.stringify(requestModal(alone))).toContain("Approve");
});

test("an approval that Slack cannot show completely is given on the hosted page", () => {
  const review = { subject: "Write a file", rows: [{ label: "Content", value: "x".repeat(5000) }] };
  const request = reviewRequest({ context: { trigger: "tool", review } });
  const link = "https://auth.example.com/auth/answer?elicitationId=x";
  const actions = find(requestMessage(request, { link }).blocks, "actions");
  expect(actions).toContain(link);
  expect(actions).not.toContain("Approve");
});

test("an approval that Slack cannot show completely in the user's language is given on the hosted page", () => {
  const value = "x".repeat(3000 - "Content:  (5 more characters are not shown)".length);
  const review = { subject: "Write a file", rows: [{ label: "Content", value, more: 5 }] };
  const request = reviewRequest({ context: { trigger: "tool", review } });
  const link = "https://auth.example.com/auth/answer?elicitationId=x";
  const shownIn = (locale: string) => {
    const language = slackLanguageFor(locale);
    const { blocks } = requestMessage(request, { link, language });
    return {
      isOnPage: find(blocks, "actions").includes(link),
      hasModal: requestModal(request, { language }).ok,
    };
  };
  expect(shownIn("en")).toEqual({ isOnPage: false, hasModal: true });
  expect(shownIn("fr")).toEqual({ isOnPage: true, hasModal: false });
});
