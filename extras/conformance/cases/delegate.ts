import type { ConformanceRule } from "../case.ts";
import { ensureEqual } from "../reply.ts";
import { type Asked, ackIn, answer, ask, ensureSettled, problemIn, resolutionOf } from "../steps.ts";
import type { TestContext } from "../test-context.ts";

/** Rules for "You decide" (contract, section 4). This feature is optional. */
export const delegateCases: readonly ConformanceRule[] = [
  {
    id: "delegate/accepted",
    rule: "An accept with `delegated` ends a form that offers it as accepted, and its `resolution` says so. The same again counts once, and content is another answer.",
    async run(context) {
      const asked = await askToDelegate(context);
      ensureSettled(await leave(asked), asked, "accepted");
      ensureEqual((await resolutionOf(asked)).delegated, true, "delegated of the resolution");
      ackIn(await leave(asked), 200, asked);
      problemIn(await answer(asked, "accept", context.need("form").fits), 409);
    },
  },
  {
    id: "delegate/refused",
    rule: "An accept with `delegated` gets 400 if it has content, or if the request does not offer it, and the request stays open.",
    async run(context) {
      const asked = await askToDelegate(context);
      problemIn(await leave(asked, { content: context.need("form").fits }), 400);
      ensureSettled(await leave(asked), asked, "accepted");
      const [person] = context.people();
      problemIn(await leave(await ask(person, context.need("connect"))), 400);
    },
  },
];

/** Leaves the decision to the agent. */
function leave({ person, turn, request }: Asked, more: Readonly<Record<string, unknown>> = {}) {
  const { conversationId } = turn;
  const { elicitationId } = request;
  const body = { conversationId, elicitationId, action: "accept", delegated: true, ...more };
  return person.post("/elicitation-responses", body);
}

async function askToDelegate(context: TestContext): Promise<Asked> {
  const [person] = context.people();
  const asked = await ask(person, context.need("delegable"));
  ensureEqual(asked.request.delegate, true, "delegate of the request");
  return asked;
}
