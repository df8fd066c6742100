import type { LanguageModel } from "ai";
import { expectTypeOf } from "vitest";
import type { RunTurn } from "../runtime/index.ts";
import type { CredentialStore } from "../connect/ports/credentials.ts";
import { type AgentTurnOptions, createAgentTurn } from "./index.ts";

declare const model: LanguageModel;
const needed = { model, requester: { name: "Travel assistant" }, onError: (_error: unknown) => {} };

// Only an agent that acts for the user needs credentials and a hosted page.
expectTypeOf(createAgentTurn(needed)).toEqualTypeOf<RunTurn>();
expectTypeOf<AgentTurnOptions["credentials"]>().toEqualTypeOf<CredentialStore | undefined>();
expectTypeOf<AgentTurnOptions["connectUrl"]>().toEqualTypeOf<string | undefined>();
expectTypeOf<Omit<typeof needed, "requester">>().not.toExtend<AgentTurnOptions>();
