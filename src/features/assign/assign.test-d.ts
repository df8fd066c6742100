import { expectTypeOf } from "vitest";
import type { Assignee, AssigneeList } from "../../contract/contract.ts";
import type { Runtime, RuntimeOptions, User } from "../../runtime/index.ts";
import type { SurfaceTurn } from "../../runtime/internal.ts";

// The rule of the application knows the user whose turn asks, and who wants to leave the decision to whom.
const rule = {
  may(user, assignee, { asker, conversationId, tool }) {
    expectTypeOf(user).toEqualTypeOf<User>();
    expectTypeOf(assignee).toEqualTypeOf<Assignee>();
    expectTypeOf(asker).toEqualTypeOf<User>();
    expectTypeOf(conversationId).toEqualTypeOf<string>();
    expectTypeOf(tool?.id).toEqualTypeOf<string | undefined>();
    return true;
  },
  nameOf: async ({ user, group }) => user ?? group,
  groupsOf: () => ["finance"],
  choicesOf: async (userId, { asker }) => (userId === asker.id ? [] : [{ group: "finance" }]),
  membersOf: () => [{ id: "ada" }],
} satisfies RuntimeOptions["assign"];
expectTypeOf(rule).toExtend<NonNullable<RuntimeOptions["assign"]>>();
// @ts-expect-error: who may decide for whom has no default
({ nameOf: () => "Ada" }) satisfies RuntimeOptions["assign"];
// @ts-expect-error: somebody is a user or a group
({ ...rule, choicesOf: () => ["ada"] }) satisfies RuntimeOptions["assign"];

// The results. For a turn of a surface, a call can also reach the limit of writes.
declare const runtime: Runtime;
type Assigned = Awaited<ReturnType<Runtime["elicitations"]["assign"]>>;
expectTypeOf<Assigned["kind"]>().toEqualTypeOf<"assigned" | "ended" | "forbidden" | "unknown">();
type Reminded = Awaited<ReturnType<Runtime["elicitations"]["remind"]>>;
expectTypeOf<Reminded["kind"]>().toEqualTypeOf<"reminded" | "too-soon" | "ended" | "forbidden" | "unknown">();
type Choices = Awaited<ReturnType<Runtime["elicitations"]["assigneesFor"]>>;
expectTypeOf<Extract<Choices, { kind: "choices" }>["choices"]>().toEqualTypeOf<AssigneeList["assignees"]>();
void runtime.elicitations.assign("e1", { id: "ada" }, undefined, { through: "page" });
// @ts-expect-error: the giver is a user, not an id
void runtime.elicitations.assign("e1", "ada", { user: "bob" });
declare const turn: SurfaceTurn;
type Limited = { readonly kind: "limited"; readonly retryAfter: number };
expectTypeOf(turn.assign).returns.resolves.toEqualTypeOf<Assigned | Limited>();
expectTypeOf(turn.remind).returns.resolves.toEqualTypeOf<Reminded | Limited>();
expectTypeOf(turn.assignees).returns.resolves.toEqualTypeOf<AssigneeList["assignees"]>();
