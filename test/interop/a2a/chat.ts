import type { A2aAgent } from "../../../src/agent/a2a/a2a-agent.ts";
import type { Credential } from "../../../src/connect/ports/credentials.ts";
import { type Clock, systemClock } from "../../../src/base/clock.ts";
import type { Step } from "../../stages/scripted-model.ts";
import { type RelayedChat, createRelayedChat } from "../relayed-chat.ts";

export const BOOK: readonly Step[] = [{ travel: { message: "Book a trip" } }, "Done."];

/** A chat whose agent asks one A2A agent, `travel`. */
export function chatWith(
  url: string,
  steps: readonly Step[] = BOOK,
  options: Partial<A2aAgent> & { credential?: Credential; expiresInMs?: number; clock?: Clock } = {},
): RelayedChat {
  const { credential, expiresInMs, clock = systemClock, ...agent } = options;
  return createRelayedChat({
    a2aAgents: [{ name: "travel", service: "Contoso Travel", url, description: "Books trips.", ...agent }],
    steps,
    credential: { server: "travel", value: credential },
    clock,
    ...(expiresInMs !== undefined && { runtime: { timeToAnswer: { expiresInMs } } }),
  });
}
