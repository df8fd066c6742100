import type { LanguageModel } from "ai";
import { expectTypeOf } from "vitest";
import type { RunTurn, Turn } from "../runtime/index.ts";
import { type CredentialStore, createMemoryCredentials } from "../connect/ports/credentials.ts";
import type { Account, FindAccount } from "./accounts.ts";
import { type AgentTurnOptions, createAccounts, createRouteElicitor, createAgentTurn } from "./index.ts";

declare const model: LanguageModel;
const needed = { model, requester: { name: "Travel assistant" }, onError: (_error: unknown) => {} };

// Only an agent that acts for the user needs credentials and a hosted page.
expectTypeOf(createAgentTurn(needed)).toEqualTypeOf<RunTurn>();
expectTypeOf<AgentTurnOptions["credentials"]>().toEqualTypeOf<CredentialStore | undefined>();
expectTypeOf<AgentTurnOptions["connectUrl"]>().toEqualTypeOf<string | undefined>();
expectTypeOf<Omit<typeof needed, "requester">>().not.toExtend<AgentTurnOptions>();

const accountsOf = createAccounts({
  accounts: { github: { service: "GitHub", api: "https://api.github.com" } },
  credentials: createMemoryCredentials(),
  connectUrl: "https://auth.example.com/auth/connect",
  requester: { name: "Demo" },
  onError: () => {},
});
expectTypeOf(accountsOf).toExtend<(turn: Turn, toolName: string) => FindAccount>();
expectTypeOf<ReturnType<typeof createRouteElicitor>["turn"]>().toExtend<Parameters<typeof accountsOf>[0]>();
expectTypeOf<ReturnType<FindAccount>>().toEqualTypeOf<Account>();
expectTypeOf<Account["forget"]>().returns.resolves.toEqualTypeOf<
  { ok: true; value: undefined } | { ok: false; text: string }
>();
