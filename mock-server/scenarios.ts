import type { ElicitationResult } from "../src/runtime/internal.ts";
import type { RuntimeOptions } from "../src/runtime/index.ts";
import type { Fault } from "./fault.ts";
import * as faults from "./faults.ts";
import { type Script, askForm, askToConnect, call, say, together, write } from "./script.ts";

/** Ready for {@link createMockServer}: `createMockServer(scenarios.connect)`. */
export interface Scenario {
  readonly script: Script;
  readonly faults?: readonly Fault[];
  readonly proposeAnswer?: RuntimeOptions["proposeAnswer"];
}

const issue = { title: "Login fails on Safari" };
const askTracker = askToConnect({ service: "Tracker", requester: { name: "Acme Assistant" } });
const createIssue: Script = [
  say("Let me check…"),
  call("tracker.create_issue", issue, { key: "TRK-42" }),
  askTracker,
];

const checkIn = { type: "string", title: "Check-in", format: "date" };
const nights = { type: "integer", title: "Nights", minimum: 1, maximum: 30, default: 2 };
const askForStay = askForm({
  message: "Where and when would you like to stay?",
  properties: { city: { type: "string", title: "City", minLength: 2 }, checkIn, nights },
  required: ["city", "checkIn"],
});

/** Chooses by outcome: `accepted` or any other. Most scripts have two endings. */
function byOutcome(accepted: string, otherwise: string): (result: ElicitationResult) => string {
  return ({ outcome }) => (outcome === "accepted" ? accepted : otherwise);
}

/** The value of a field in an accepted form, as text. */
function answered(result: ElicitationResult, name: string): string {
  const value = result.outcome === "accepted" ? result.content[name] : undefined;
  return value === undefined ? "nothing" : String(value);
}

/** The journeys that a chat must support, by name. */
export const scenarios = {
  /** The user connects an account (mode `url`). */
  connect: {
    script: [...createIssue, say(byOutcome("Done: TRK-42.", "Then I cannot create the issue."))],
  },
  /** The same, with a provider that returns the account's name. */
  connectAs: {
    script: [
      call("tracker.create_issue", issue, { key: "TRK-42" }),
      askToConnect({ service: "Tracker", account: "alice" }),
      say(byOutcome("Done: TRK-42.", "Then I cannot create the issue.")),
    ],
  },
  /** The happy path of mode `form`. */
  form: {
    script: [
      say("Happy to help."),
      call("hotels.search", {}, { hotel: "Casa do Mar" }),
      askForStay,
      say((result) => {
        if (result.outcome === "declined" && result.note !== undefined) return `Instead: ${result.note}`;
        if (result.outcome !== "accepted") return "Then I cannot search.";
        return `Casa do Mar in ${answered(result, "city")} has a room.`;
      }),
    ],
  },
  /** Ada decides in place of the user, who may take the question back. */
  somebodyElse: {
    script: [
      call("expenses.pay", { amount: 480 }, { paid: true }),
      askForm({
        message: "Approve 480 € for the team day?",
        properties: { approve: { type: "boolean", title: "Approve" } },
        required: ["approve"],
        assignee: { user: "Ada" },
      }),
      say((result) => {
        const isApproved = result.outcome === "accepted" && result.content["approve"] === true;
        return isApproved ? `Paid. ${result.by ?? "You"} approved it.` : "I did not pay.";
      }),
    ],
  },
  /** A sentence fills in the form: "Lisbon from 1 March" fills two fields, and any other text none. */
  sentence: {
    script: [
      call("hotels.search", {}, { hotel: "Casa do Mar" }),
      askForStay,
      say((result) => `Casa do Mar in ${answered(result, "city")} has a room.`),
    ],
    proposeAnswer: async ({ text }) =>
      /lisbon/i.test(text) ? { city: "Lisbon", checkIn: "2027-03-01", nights: "many" } : {},
  },
  /** A scenario for a decline: the agent calls the tool again and may not ask again. */
  decline: {
    script: [
      ...createIssue,
      call("tracker.create_issue", issue, { key: "TRK-42" }),
      askTracker,
      say(byOutcome("Done: TRK-42.", "I cannot create issues without Tracker. Connect it in your settings.")),
    ],
  },
  /** A scenario for a dismissal: the agent may ask again later. */
  cancel: {
    script: [
      ...createIssue,
      say(byOutcome("Done: TRK-42.", "No problem. Say so when you want to connect Tracker.")),
    ],
  },
  /** The request expires after ten seconds. */
  expiry: {
    script: [
      say("Let me check…"),
      call("tracker.create_issue", issue, { key: "TRK-42" }),
      askToConnect({ service: "Tracker", expiresInMs: 10_000 }),
      say(byOutcome("Done: TRK-42.", "That took too long. Ask me again when you are back.")),
    ],
  },
  /** Two requests are open at the same time. */
  twoAtOnce: {
    script: [
      say("I need two things."),
      together(askToConnect({ service: "Calendar" }), askForStay),
      say("Thank you, that is all I need."),
    ],
  },
  /** Another agent asks through this one. */
  delegatedAgent: {
    script: [
      say("I hand this over to the travel agent."),
      write({ type: "data-operation", data: { type: "delegation_sent", to: "Travel agent" } }),
      call("travel.book", { city: "Lisbon" }, { booking: "B-7" }),
      askToConnect({
        service: "Airline",
        requester: { name: "Acme Assistant", claimedName: "Travel agent" },
        context: { trigger: "a2a_input_required" },
      }),
      write({ type: "data-operation", data: { type: "delegation_returned", from: "Travel agent" } }),
      say(byOutcome("The travel agent has booked it.", "The travel agent could not book it.")),
    ],
  },
  /** The server does not learn that the chat can show requests. */
  noCapability: {
    script: [...createIssue, say(byOutcome("Done: TRK-42.", "Connect Tracker first, then ask me again."))],
    faults: [faults.ignoreCapability()],
  },
  /** Requests are bare events, which the AI SDK cannot process without the kit. */
  bareEvents: {
    script: [...createIssue, say(byOutcome("Done: TRK-42.", "Then I cannot create the issue."))],
    faults: [faults.bareEvents()],
  },
  /** The stream contains events of a newer server. */
  unknownEvents: {
    script: [
      write({ type: "data-weather", data: { sky: "clear" } }),
      write({ type: "x-future-event", detail: { version: 9 } }),
      ...createIssue,
      say(byOutcome("Done: TRK-42.", "Then I cannot create the issue.")),
    ],
  },
  /** Asks for one of several options. */
  choice: {
    script: [
      askForm({
        message: "Which plan shall I book?",
        context: { trigger: "tool", fields: { plan: { recommended: { value: "m", word: "usual" } } } },
        properties: {
          plan: {
            type: "string",
            title: "Plan",
            oneOf: [
              { const: "s", title: "Small" },
              { const: "m", title: "Medium" },
              { const: "l", title: "Large" },
            ],
          },
        },
        required: ["plan"],
      }),
      say((result) => `You chose ${answered(result, "plan")}.`),
    ],
  },
  /** Asks for one of several options that have previews. */
  previews: {
    script: [
      askForm({
        message: "Which layout shall the release notes have?",
        properties: {
          layout: {
            type: "string",
            title: "Layout",
            oneOf: [
              {
                const: "table",
                title: "Table",
                preview: "| Change   | Since |\n| -------- | ----- |\n| Previews |   0.1 |",
              },
              { const: "list", title: "List", preview: "Changes in 0.1\n\n- Previews of options" },
            ],
          },
        },
        required: ["layout"],
      }),
      say((result) => `The layout is: ${answered(result, "layout")}.`),
    ],
  },
  /** Asks for a choice that the user may leave to the agent. */
  youDecide: {
    script: [
      askForm({
        message: "Which tone shall the mail have?",
        properties: {
          tone: {
            type: "string",
            title: "Tone",
            oneOf: [
              { const: "formal", title: "Formal" },
              { const: "friendly", title: "Friendly" },
            ],
          },
        },
        required: ["tone"],
        fallback: { tone: "friendly" },
        delegate: true,
      }),
      say((result) => {
        const who = result.outcome === "accepted" && result.delegated ? "I chose" : "You chose";
        return `${who}: ${answered(result, "tone")}.`;
      }),
    ],
  },
  /** Asks for a number between two bounds. */
  slider: {
    script: [
      askForm({
        message: "How warm shall the room be?",
        context: { trigger: "tool", fields: { degrees: { control: "slider" } } },
        properties: { degrees: { type: "integer", title: "Degrees", minimum: 15, maximum: 28, default: 21 } },
        required: ["degrees"],
      }),
      say((result) => `Set to ${answered(result, "degrees")} degrees.`),
    ],
  },
  /** Asks for a rating from one to five. */
  rating: {
    script: [
      askForm({
        message: "How was your stay?",
        context: { trigger: "tool", fields: { stars: { control: "rating" } } },
        properties: { stars: { type: "integer", title: "Stars", minimum: 1, maximum: 5 } },
        required: ["stars"],
      }),
      say((result) => `Thank you for ${answered(result, "stars")} stars.`),
    ],
  },
  /** Asks for a short text. */
  naming: {
    script: [
      askForm({
        message: "What shall the project be called?",
        properties: { name: { type: "string", title: "Name", minLength: 1, maxLength: 40 } },
        required: ["name"],
      }),
      say((result) => `It is called ${answered(result, "name")}.`),
    ],
  },
  /** Asks for the approval of a tool call, as `askFirst` does. The user may change the amount. */
  approval: {
    script: [
      call("refund_order", { order: "A-1742", euros: 42 }, (result) => ({
        refunded: Number(answered(result, "euros") ?? 0),
      })),
      askForm({
        message: "Refund an order\n\nOrder: A-1742",
        context: {
          trigger: "tool",
          layout: "form",
          review: { subject: "Refund an order", rows: [{ label: "Order", value: "A-1742" }] },
        },
        remember: { scope: "conversation" },
        properties: { euros: { type: "number", title: "Amount in euros", exclusiveMinimum: 0, default: 42 } },
        required: ["euros"],
      }),
      say((result) => (result.outcome === "accepted" ? "The money is on its way." : "I refunded nothing.")),
    ],
  },
  /** Asks in the background: the agent works on, and books when the user has answered. */
  background: {
    script: [
      call("hotels.book", {}, (result) => `Booked: ${answered(result, "hotel")}`),
      askForm({
        message: "Which hotel in Lisbon?",
        properties: { hotel: { type: "string", title: "Hotel", enum: ["Casa do Mar", "Alfama 12"] } },
        required: ["hotel"],
        background: true,
      }),
      call("weather.check", { city: "Lisbon" }, { sky: "sunny" }),
      say("It will be sunny. I book as soon as you have chosen a hotel."),
      say((result) =>
        result.outcome === "accepted" ? `Booked: ${answered(result, "hotel")}.` : "I booked no hotel.",
      ),
    ],
  },
  /** Asks for a confirmation before an action that cannot be undone. */
  confirmDestructive: {
    script: [
      call("files.delete", { path: "/reports" }, (result) => ({
        deleted: answered(result, "confirm") === "true" ? 12 : 0,
      })),
      askForm({
        message: "Delete the folder /reports with 12 files? This cannot be undone.",
        properties: { confirm: { type: "boolean", title: "Delete it" } },
        required: ["confirm"],
      }),
      say((result) => (answered(result, "confirm") === "true" ? "Deleted." : "I left everything as it is.")),
    ],
  },
} satisfies Record<string, Scenario>;
