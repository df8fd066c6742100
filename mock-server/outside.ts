import type {
  Assignee,
  ElicitationContent,
  ElicitationOutcome,
  ElicitationRequest,
} from "../src/contract/contract.ts";
import type { ElicitationService } from "../src/runtime/internal.ts";
import type { MockClock } from "./clock.ts";
import type { WatchedRecords } from "./watched-records.ts";

/** The ways in which a request can end. A refusal of the provider does not end it: it stays open with `lastError`. */
export type EndOutside = Exclude<ElicitationOutcome, "failed">;

/** Simulates everything outside the chat that affects a request: the provider, the clock, the agent, another window. */
export interface Outside {
  /** Ends a request. Does nothing if it has ended or does not exist. */
  end(elicitationId: string, outcome: EndOutside): Promise<void>;
  /** The provider refuses; the request stays open. */
  fail(elicitationId: string, lastError: string): Promise<void>;
  /** Accepts a form as the user that it waits for. */
  answer(elicitationId: string, content: ElicitationContent): Promise<void>;
  /** Assigns a form to another user or group, or with `undefined` back to the user whose agent asks. */
  assign(elicitationId: string, to: Assignee | undefined): Promise<void>;
  /** Origin of the chat that asked, if the chat may receive messages. */
  chatOrigin(elicitationId: string): Promise<string | undefined>;
  /** Aborts when the agent no longer needs the answer. */
  readonly withdrawal: (elicitationId: string) => AbortSignal;
  /** Sets the provider's name of the account that the user connects for this request. */
  readonly nameAccount: (elicitationId: string, account: string | undefined) => void;
}

export function createOutside(options: {
  elicitations: () => ElicitationService;
  records: WatchedRecords;
  clock: MockClock;
}): Outside {
  const { elicitations, records, clock } = options;
  const withdrawals = new Map<string, AbortController>();
  const accounts = new Map<string, string | undefined>();

  async function cancel(elicitationId: string): Promise<void> {
    const record = await elicitations().get(elicitationId);
    if (record === undefined) return;
    const { conversationId, user } = record;
    await elicitations().answer({ elicitationId, conversationId, action: "cancel" }, user.id);
  }

  return {
    async end(elicitationId, outcome) {
      switch (outcome) {
        case "accepted":
          await elicitations().complete(elicitationId, undefined, { account: accounts.get(elicitationId) });
          return;
        case "declined":
          await elicitations().decline(elicitationId);
          return;
        case "cancelled":
          return cancel(elicitationId);
        case "expired":
          await records.timeOut(elicitationId);
          await elicitations().get(elicitationId);
          return;
        case "withdrawn":
          withdrawals.get(elicitationId)?.abort(new DOMException("It is no longer needed.", "AbortError"));
          // The agent processes it later.
          return clock.advance(0);
      }
    },
    async fail(elicitationId, lastError) {
      await elicitations().fail(elicitationId, lastError);
    },
    async answer(elicitationId, content) {
      const record = await elicitations().get(elicitationId);
      if (record === undefined) return;
      const { assigned, conversationId, user } = record;
      const where = assigned === undefined ? conversationId : elicitationId;
      const answer = { elicitationId, conversationId: where, action: "accept", content } as const;
      const result = await elicitations().answer(answer, assigned?.to.user ?? user.id);
      if (result.kind === "settled") return;
      throw new Error(`elicit-kit: the answer was not taken (${result.kind}). Does it fit the form?`);
    },
    async assign(elicitationId, to) {
      const record = await elicitations().get(elicitationId);
      if (record !== undefined) await elicitations().assign(elicitationId, record.user, to);
    },
    async chatOrigin(elicitationId) {
      const record = await elicitations().get(elicitationId);
      return record?.chatOrigin;
    },
    withdrawal(elicitationId) {
      const controller = new AbortController();
      withdrawals.set(elicitationId, controller);
      return controller.signal;
    },
    nameAccount: (elicitationId, account) => void accounts.set(elicitationId, account),
  };
}

/** The id of the request for a method of the test: the given one, or that of the only open request. */
export function openId(pending: readonly ElicitationRequest[], wanted: string | undefined): string {
  const ids = pending.map(({ elicitationId }) => elicitationId);
  const open = ids.length === 0 ? "none is open" : `open are: ${ids.join(", ")}`;
  if (wanted !== undefined) {
    if (ids.includes(wanted)) return wanted;
    throw new Error(`elicit-kit: the request ${wanted} is not open, ${open}.`);
  }
  const [only] = ids;
  if (only !== undefined && ids.length === 1) return only;
  throw new Error(
    `elicit-kit: without an id exactly one request must be open, ${open}. Wait for it, or name one.`,
  );
}
