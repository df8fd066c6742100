import { NotChecked, ensure, ensureEqual } from "../assertions.ts";
import type { ConformanceRule } from "../case.ts";
import { type Asked, UNKNOWN_ID, ask, ensureReplied, problemIn } from "../steps.ts";
import type { TestContext } from "../test-context.ts";

const pathOf = (elicitationId: string): string => `/elicitations/${encodeURIComponent(elicitationId)}/forget`;

/** Rules for remembered answers (contract, section 4). This feature is optional. */
export const rememberCases: readonly ConformanceRule[] = [
  {
    id: "remember/used",
    rule: "A form that was accepted with `remember` answers the same question as before, and says so in its `resolution`; after `forget` the user is asked.",
    async run(context) {
      const asked = await askToRemember(context);
      await tick(asked, context);
      const again = await askAgain(asked, context);
      const path = pathOf(again.request.elicitationId);
      const { resolution } = again.request;
      try {
        ensureEqual(resolution?.outcome, "accepted", "outcome of the second request");
        ensureEqual(resolution?.remembered, true, "remembered of its resolution");
      } finally {
        // The next case has the same user, so the turn must end first.
        ensureReplied(await asked.person.post(path, {}), 200);
      }
      ensureReplied(await asked.person.post(path, {}), 200);
      const third = await askAgain(asked, context);
      ensure(third.request.resolution === undefined, "after forget, the request must be open");
    },
  },
  {
    id: "remember/only-when-asked",
    rule: "Without `remember`, and where the request does not offer it, no answer is used again.",
    async run(context) {
      const [person] = context.people();
      const asked = await ask(person, context.need("form").message);
      const offers = asked.request.remember !== undefined;
      await tick(asked, context, !offers);
      const again = await askAgain(asked, context);
      ensure(again.request.resolution === undefined, "the second request must be open");
    },
  },
  {
    id: "remember/ownership",
    rule: "Nobody makes the server forget for another user, or for an unknown request: 404, and 401 without identity.",
    async run(context) {
      const { person, request } = await askToRemember(context);
      const path = pathOf(request.elicitationId);
      const [, other] = context.people();
      problemIn(await other.post(path, {}), 404);
      problemIn(await person.post(pathOf(UNKNOWN_ID), {}), 404);
      problemIn(await context.person().post(path, {}), 401);
    },
  },
];

/** Accepts the form, with or without ticking "remember". */
async function tick({ person, turn, request }: Asked, context: TestContext, remember = true): Promise<void> {
  const { elicitationId } = request;
  const { conversationId } = turn;
  const content = context.need("form").fits;
  const body = { conversationId, elicitationId, action: "accept", content, ...(remember && { remember }) };
  ensureReplied(await person.post("/elicitation-responses", body), 200);
}

function askAgain({ person }: Asked, context: TestContext): Promise<Asked> {
  return ask(person, context.need("form").message);
}

async function askToRemember(context: TestContext): Promise<Asked> {
  const [person] = context.people();
  const asked = await ask(person, context.need("form").message);
  if (asked.request.mode !== "form" || asked.request.remember === undefined) {
    throw new NotChecked("the form does not offer to remember its answer (remember)");
  }
  return asked;
}
