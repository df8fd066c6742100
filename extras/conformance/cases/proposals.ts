import { isObject } from "../../../src/contract/json.ts";
import type { ConformanceRule } from "../case.ts";
import { NotChecked, ensure, ensureEqual, show } from "../reply.ts";
import { type Asked, UNKNOWN_ID, answer, askAny, ensureReplied, ensureStatus, problemIn } from "../steps.ts";
import type { TestContext } from "../test-context.ts";

const pathOf = (elicitationId: string): string =>
  `/elicitations/${encodeURIComponent(elicitationId)}/proposal`;
const SENTENCE = { text: "Lisbon, from 1 March, for two of us." };

/** Rules for filling in a form from a sentence (contract, section 4). This feature is optional. */
export const proposalCases: readonly ConformanceRule[] = [
  {
    id: "proposals/fits",
    rule: "A proposal has only valid values for fields of the form, and does not change the request.",
    async run(context) {
      const asked = await askForSentence(context);
      const { elicitationId, requestedSchema } = asked.request;
      const reply = await asked.person.post(pathOf(elicitationId), SENTENCE);
      ensureReplied(reply, 200);
      const content = isObject(reply.body) ? reply.body["content"] : undefined;
      ensure(isObject(content), `expected {"content": {…}}, got ${show(reply.body)}`);
      for (const [name, value] of Object.entries(content)) {
        const property = requestedSchema?.properties[name];
        ensure(isObject(property), `the form has no field ${show(name)}`);
        ensure(fits(value, property), `${show(name)} does not fit its field: ${show(value)}`);
      }
      await ensureStatus(asked, "pending");
    },
  },
  {
    id: "proposals/refused",
    rule: "A proposal without a text, or with one of more than 4,000 characters, gets 400.",
    async run(context) {
      const asked = await askForSentence(context);
      for (const text of [undefined, "", "x".repeat(4001)]) {
        problemIn(await asked.person.post(pathOf(asked.request.elicitationId), { text }), 400);
      }
    },
  },
  {
    id: "proposals/ownership",
    rule: "A proposal for another user's request or an unknown one gets 404, and one without an identity 401.",
    async run(context) {
      const asked = await askForSentence(context);
      const path = pathOf(asked.request.elicitationId);
      const [, other] = context.people();
      problemIn(await other.post(path, SENTENCE), 404);
      problemIn(await asked.person.post(pathOf(UNKNOWN_ID), SENTENCE), 404);
      problemIn(await context.person().post(path, SENTENCE), 401);
    },
  },
  {
    id: "proposals/ended",
    rule: "A proposal for a request that has ended gets 409 with the outcome.",
    async run(context) {
      const asked = await askForSentence(context);
      await answer(asked, "decline");
      const reply = await asked.person.post(pathOf(asked.request.elicitationId), SENTENCE);
      ensureEqual(problemIn(reply, 409).outcome, "declined", "outcome in the 409");
    },
  },
];

/** Whether a value fits the type, the options and the range of the field. */
function fits(value: unknown, property: Readonly<Record<string, unknown>>): boolean {
  const { type, enum: options, minimum = -Infinity, maximum = Infinity } = property;
  if (Array.isArray(options) && !options.includes(value)) return false;
  if (type === "array") return Array.isArray(value);
  if (type !== "integer" && type !== "number") return typeof value === type;
  const isInRange = Number(value) >= Number(minimum) && Number(value) <= Number(maximum);
  return typeof value === "number" && isInRange && (type === "number" || Number.isInteger(value));
}

async function askForSentence(context: TestContext): Promise<Asked> {
  const asked = await askAny(context, "form");
  if (asked.request.context?.["takesSentence"] !== true) {
    throw new NotChecked("the form takes no sentence (context.takesSentence)");
  }
  return asked;
}
