import type { ConformanceRule } from "../case.ts";
import { NotChecked, ensure, ensureEqual } from "../reply.ts";
import { type Asked, ask, ensureReplied, problemIn } from "../steps.ts";
import type { TestContext } from "../test-context.ts";

const pathOf = (remembered: string): string => `/remembered/${encodeURIComponent(remembered)}/forget`;

/** Rules for remembered answers (contract, section 4). This feature is optional. */
export const rememberCases: readonly ConformanceRule[] = [
  {
    id: "remember/used",
    rule: "After an accept with `remember`, the same question gets the same answer without asking, and its `resolution` names that answer. After `forget`, the user is asked again.",
    async run(context) {
      const asked = await askToRemember(context);
      await tick(asked, context);
      const again = await askAgain(asked, context);
      ensureEqual(again.request.resolution?.outcome, "accepted", "outcome of the second request");
      const path = pathOf(rememberedIn(again));
      ensureReplied(await asked.person.post(path, {}), 200);
      ensureReplied(await asked.person.post(path, {}), 200);
      const third = await askAgain(asked, context);
      ensure(third.request.resolution === undefined, "after forget, the request must be open");
    },
  },
  {
    id: "remember/only-when-asked",
    rule: "No answer is used again without `remember`, or if the request does not offer that.",
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
    rule: "A `forget` applies only to the user's own answers: for another user's it changes nothing, and without an identity it gets 401.",
    async run(context) {
      const asked = await askToRemember(context);
      await tick(asked, context);
      const path = pathOf(rememberedIn(await askAgain(asked, context)));
      const [, other] = context.people();
      try {
        problemIn(await context.person().post(path, {}), 401);
        await other.post(path, {});
        const again = await askAgain(asked, context);
        ensureEqual(again.request.resolution?.outcome, "accepted", "outcome after another user's forget");
      } finally {
        // The next case has the same user, so the turn must end first.
        ensureReplied(await asked.person.post(path, {}), 200);
      }
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

function rememberedIn({ request }: Asked): string {
  const { remembered } = request.resolution ?? {};
  ensure(remembered !== undefined, "the resolution must say which remembered answer was used");
  return remembered;
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
