import {
  askForm,
  askToConnect,
  call,
  type MockServerOptions,
  say,
  type Script,
  together,
} from "elicit-kit/mock-server";
import { contractOptions, PRINTED } from "./contract-options.ts";

/** The actions of the agent of the servers under test, by the user's message. */
const SCRIPTS: Readonly<Record<string, Script>> = {
  "Create an issue.": [
    say("Let me check…"),
    call("tracker.create_issue", { title: "Login fails" }, { key: "TRK-42" }),
    askToConnect({ service: "Tracker" }),
    say((r) => `It is ${r.outcome}.`),
  ],
  "Pay the invoice.": [
    call("pay.invoice", { id: 7 }),
    askToConnect({ service: "Bank", acceptMeans: "consent" }),
    say((r) => `It is ${r.outcome}.`),
  ],
  "Book a hotel.": [
    call("hotels.search"),
    askForm({
      message: "Where, and for how long?",
      properties: {
        city: { type: "string", minLength: 2 },
        nights: { type: "integer", minimum: 1, maximum: 30 },
      },
      required: ["city", "nights"],
      remember: true,
    }),
    say((r) => `It is ${r.outcome}.`),
  ],
  "Surprise me.": [
    call("hotels.search"),
    askForm({
      message: "Where, and for how long?",
      properties: {
        city: { type: "string", minLength: 2 },
        nights: { type: "integer", minimum: 1, maximum: 30 },
      },
      required: ["city", "nights"],
      fallback: { city: "Lisbon", nights: 2 },
      delegate: true,
    }),
    say((r) => `It is ${r.outcome}.`),
  ],
  "Book meanwhile.": [
    call("hotels.search"),
    askForm({
      message: "Where, and for how long?",
      properties: { city: { type: "string" }, nights: { type: "integer" } },
      background: true,
    }),
    say("I look at the weather."),
    say((r) => `It is ${r.outcome}.`),
  ],
  "Write to Ben.": [
    call("mail", { text: "Lunch?" }, (r) => ({
      text: r.outcome === "accepted" ? String(r.content["text"]) : "",
    })),
    askForm({
      message: "Send a mail\n\nTo: ben@example.com",
      context: {
        trigger: "tool",
        review: { subject: "Send a mail", rows: [{ label: "To", value: "ben@example.com" }] },
      },
      properties: { text: { type: "string", default: "Lunch?" } },
      remember: { scope: "conversation" },
    }),
    say((r) => `It is ${r.outcome}.`),
  ],
  "Plan a trip.": [
    together(
      askToConnect({ service: "Calendar" }),
      askForm({ message: "Where to?", properties: { city: { type: "string" } } }),
    ),
    say("All set."),
  ],
  "Try twice.": [
    call("tracker.create_issue"),
    askToConnect({ service: "Tracker" }),
    call("tracker.create_issue"),
    askToConnect({ service: "Tracker" }),
    say("That was all."),
  ],
  "Pay for the team day.": [
    call("expenses.pay"),
    askForm({
      message: "Approve 480 €?",
      properties: { approve: { type: "boolean" } },
      required: ["approve"],
      assignee: { user: "ben" },
    }),
    say("That was all."),
  ],
  "Print a request.": [say(PRINTED)],
  "Hurry.": [call("pay.now"), askToConnect({ service: "Bank", expiresInMs: 300 }), say("Too late.")],
};

/** The options of a conforming mock server. */
export const contractAgent = {
  ...contractOptions,
  script: (said: string) => SCRIPTS[said] ?? [say("Hello.")],
} satisfies MockServerOptions;
