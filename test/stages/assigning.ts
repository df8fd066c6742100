import type { InboxPage } from "../../src/contract/contract.ts";
import { createMemoryDecisionLog } from "../../extras/audit/index.ts";
import { createManualClock } from "../../src/base/testing/manual-clock.ts";
import { type FormQuestion, type RuntimeOptions, createMemoryRecords } from "../../src/runtime/index.ts";
import { createChatClient } from "./chat-client.ts";
import { CITY, asking, createTestRuntime } from "./test-runtime.ts";

/** The agent of Bo asks, and Ada decides. */
export const FOR_ADA: FormQuestion = { ...CITY, assignee: { user: "ada" } };

/** All users may ask each other. Ada, Cy and Bo are in finance. */
export const ASSIGN: NonNullable<RuntimeOptions["assign"]> = {
  may: () => true,
  nameOf: ({ user, group }) => (user === undefined ? `The ${group} team` : user.toUpperCase()),
  groupsOf: (userId) => (["ada", "bo", "cy"].includes(userId) ? ["finance"] : []),
  membersOf: () => ["ada", "bo", "cy"].map((id) => ({ id })),
};

/** A runtime whose agent asks `question`, and its users. */
export function stageAssigning(
  question: Parameters<typeof asking>[0] = FOR_ADA,
  { assign, ...options }: Omit<Partial<RuntimeOptions>, "assign"> & { assign?: Partial<typeof ASSIGN> } = {},
) {
  const decisions = createMemoryDecisionLog();
  const clock = createManualClock();
  const records = decisions.watch(createMemoryRecords({ clock }));
  const runtime = createTestRuntime(asking(question), {
    assign: { ...ASSIGN, ...assign },
    ...options,
    ports: { records, clock, ...options.ports },
  });
  const of = (user: string) => {
    const client = createChatClient(runtime.fetch, { user });
    return {
      ...client,
      give: (id: string, to: unknown) =>
        client.fetch(`/run/api/elicitations/${id}/assignee`, { body: { to } }),
      choices: (id: string) => client.fetch(`/run/api/elicitations/${id}/assignees`),
      remind: (id: string) => client.fetch(`/run/api/elicitations/${id}/remind`, { body: {} }),
      async inbox() {
        const page: InboxPage = await (await client.fetch("/run/api/elicitations")).json();
        return page.items;
      },
    };
  };
  return { runtime, clock, decisions, of, bo: of("bo"), ada: of("ada"), cy: of("cy"), dan: of("dan") };
}
