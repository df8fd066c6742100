import type { ElicitationContent } from "../../../src/contract/contract.ts";
import { isObject } from "../../../src/contract/json.ts";
import { reviewOf } from "../../../src/contract/review.ts";
import type { ConformanceRule } from "../case.ts";
import type { Chunk } from "../chunk-stream.ts";
import { NotChecked, ensure, ensureEqual, show } from "../reply.ts";
import {
  type Asked,
  answer,
  ask,
  ensureGoesOn,
  ensureReplied,
  ensureResolved,
  ensureSettled,
  toolOutput,
} from "../steps.ts";
import type { Person, TestContext } from "../test-context.ts";

/** Rules for reviews and for tools that are allowed in a conversation (contract, sections 1 and 4). Both are optional. */
export const reviewCases: readonly ConformanceRule[] = [
  {
    id: "review/shown",
    rule: "A review names in `context.review` what the user approves, with its rows. Its message has the same as text, and each value that the user may change is a field with that value as its default.",
    async run(context) {
      const { request } = await askToReview(context);
      const review = reviewOf(request);
      ensure(review !== undefined, `context.review is malformed: ${show(request.context?.["review"])}`);
      const { subject, rows } = review;
      const labels = rows.map(({ label }) => label);
      const missing = [subject, ...labels].filter((text) => !request.message.includes(text));
      ensureEqual(missing, [], "what the message does not say of the review");
      const defaults = defaultsOf(request);
      const { edited } = context.need("review");
      const empty = Object.keys(edited).filter((name) => !Object.hasOwn(defaults, name));
      ensureEqual(empty, [], "fields without the value of the draft");
    },
  },
  {
    id: "review/edited",
    rule: "After an accept, the tool has the values as the user left them: those that they changed, and the others as they were.",
    async run(context) {
      const asked = await askToReview(context);
      const content = { ...defaultsOf(asked.request), ...context.need("review").edited };
      ensureSettled(await answer(asked, "accept", content), asked, "accepted");
      ensureHas(await ensureGoesOn(asked.turn), content);
    },
  },
  {
    id: "review/not-approved",
    rule: "After a decline or a dismissal, the tool does not run: its output is not that of an approval.",
    async run(context) {
      const approved = await askToReview(context);
      ensureReplied(await answer(approved, "accept", defaultsOf(approved.request)), 200);
      const output = JSON.stringify(toolOutput(await ensureGoesOn(approved.turn)));
      for (const [action, outcome] of [
        ["decline", "declined"],
        ["cancel", "cancelled"],
      ] as const) {
        const asked = await askToReview(context);
        ensureSettled(await answer(asked, action), asked, outcome);
        await ensureResolved(asked, outcome);
        const refused = JSON.stringify(toolOutput(await ensureGoesOn(asked.turn)));
        ensure(refused !== output, `${outcome}: the output of the tool is that of an approval: ${refused}`);
      }
    },
  },
  {
    id: "review/allowed",
    rule: "After an accept with `remember`, a review with `remember.scope` is not asked again in its conversation: the next call ends accepted, with `remembered` and with its own values. After `forget`, it is asked again.",
    async run(context) {
      const asked = await askToAllow(context);
      const { person } = asked;
      const own = defaultsOf(asked.request);
      await allow(asked, { ...own, ...context.need("review").edited });
      const { conversationId } = asked.turn;
      const next = await askToReview(context, person, conversationId);
      const { outcome, remembered } = next.request.resolution ?? {};
      ensureEqual(outcome, "accepted", "outcome of the next call");
      ensure(remembered !== undefined, "the resolution must say which remembered answer was used");
      ensureHas(await ensureGoesOn(next.turn), own);
      const path = `/remembered/${encodeURIComponent(remembered)}/forget`;
      ensureReplied(await person.post(path, {}), 200);
      ensureOpen(await askToReview(context, person, conversationId), "after forget");
    },
  },
  {
    id: "review/allowed-here",
    rule: "A tool that is allowed in a conversation still asks in another one, asks another user, and asks after an accept without `remember`.",
    async run(context) {
      const [person, other] = context.people();
      const once = await askToAllow(context);
      await allow(once, defaultsOf(once.request), false);
      const asked = await askToReview(context, person, once.turn.conversationId);
      ensureOpen(asked, "after an accept without remember");
      await allow(asked, defaultsOf(asked.request));
      ensureOpen(await askToReview(context), "in another conversation");
      ensureOpen(await askToReview(context, other, asked.turn.conversationId), "for another user");
    },
  },
];

async function askToReview(
  context: TestContext,
  person: Person = context.people()[0],
  conversationId?: string,
): Promise<Asked> {
  const { message } = context.need("review");
  const asked = await ask(person, message, { conversationId });
  ensureEqual(asked.request.mode, "form", "mode of the review");
  return asked;
}

async function askToAllow(context: TestContext): Promise<Asked> {
  const asked = await askToReview(context);
  if (asked.request.remember?.scope !== "conversation") {
    throw new NotChecked("the review does not offer to allow the tool in this conversation (remember.scope)");
  }
  return asked;
}

/** Approves a review, with or without ticking "Allow this tool for this conversation". */
async function allow({ person, turn, request }: Asked, content: ElicitationContent, remember = true) {
  const { elicitationId } = request;
  const { conversationId } = turn;
  const body = { conversationId, elicitationId, action: "accept", content, ...(remember && { remember }) };
  ensureReplied(await person.post("/elicitation-responses", body), 200);
  await ensureGoesOn(turn);
}

function ensureOpen({ request }: Asked, when: string): void {
  ensureEqual(request.resolution, undefined, `${when}, resolution of the request`);
}

/** The values of the draft that the user may change. */
function defaultsOf({ requestedSchema }: Asked["request"]): ElicitationContent {
  const properties = Object.entries(requestedSchema?.properties ?? {});
  return Object.fromEntries(
    properties.flatMap(([name, property]) => {
      const value: unknown = isObject(property) ? property["default"] : undefined;
      return isValue(value) ? [[name, value]] : [];
    }),
  );
}

/** The output of the tool must have each of these values, in whatever form. */
function ensureHas(chunks: readonly Chunk[], content: ElicitationContent): void {
  const output = toolOutput(chunks);
  const texts = scalarsIn(output);
  const missing = scalarsIn(content).filter((value) => !texts.some((text) => text.includes(value)));
  ensureEqual(missing, [], `values that are not in the output ${show(output)}`);
}

function scalarsIn(value: unknown): readonly string[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(scalarsIn);
  if (value === undefined) return [];
  return [typeof value === "string" ? value : JSON.stringify(value)];
}

function isValue(value: unknown): value is ElicitationContent[string] {
  const isList = Array.isArray(value) && value.every((one) => typeof one === "string");
  return isList || ["string", "number", "boolean"].includes(typeof value);
}
