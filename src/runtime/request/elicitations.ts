import type { ElicitationAnswer } from "../../contract/contract.ts";
import type { User } from "../../base/identity.ts";
import type { UserSeals } from "../../base/user-seal.ts";
import type { ElicitationRecord } from "../ports/index.ts";
import type { AnswerResult } from "./answer-result.ts";
import type { HandOver } from "./hand-over.ts";
import type { Remembering } from "./remembering.ts";

/** The requests of a runtime, for its routes, its hosted page and other server code that ends requests. */
export interface ElicitationService {
  /** For trusted server code: does not check whose request it is. */
  get(elicitationId: string): Promise<ElicitationRecord | undefined>;
  /** Returns the request only if it belongs to this user: their turn asks. Somebody else may decide it (`assigned`). */
  find(elicitationId: string, userId: string): Promise<ElicitationRecord | undefined>;
  /**
   * Returns the request only if this user decides it. A question of another user's turn looks like one of their
   * own, without that turn, and its conversation has the id of the request.
   */
  findToAnswer(elicitationId: string, userId: string): Promise<ElicitationRecord | undefined>;
  listOpen(conversationId: string, userId: string): Promise<readonly ElicitationRecord[]>;
  /**
   * The origins of chats, if `allowedOrigins` of `createRuntime` lists them. When a chat on one of them has opened the hosted
   * page, the page asks that chat who the user is.
   */
  readonly chatOrigins: readonly string[];
  /**
   * The link to the hosted page of a request, for clients that cannot show it, such as a mail or a terminal. It holds only the
   * id, works only for the user of the request (contract, section 6), and no longer than the request is open. The page
   * shows forms, connects accounts, and leads to the pages of others after the user has agreed. `undefined` without
   * `hostedPage` of `createRuntime`.
   */
  linkFor(elicitationId: string): string | undefined;
  /**
   * Takes a user's answer. When two answers race, the first to be stored wins. `acceptMeans: "consent"`: in the protocol
   * that carried this answer, accepting a URL request only means that the user agreed to open the page. `through`: the
   * surface that it came from, for the record. @default "chat"
   */
  answer(
    answer: ElicitationAnswer,
    userId: string,
    options?: { acceptMeans?: "consent" | undefined; through?: string | undefined },
  ): Promise<AnswerResult>;
  /**
   * Ends the request as accepted because the external flow has finished. `store` saves the result of that flow, such as
   * a credential. It runs before the agent continues, and only if this call ends the request, so a withdrawn or expired
   * request stores nothing. If `store` rejects, the request ends as failed and this call rejects.
   * `account` is what the provider calls the account that was connected; the user reads it in the receipt.
   * Returns `false` if the request had already ended; `store` did not run.
   */
  complete(
    elicitationId: string,
    store?: () => Promise<void>,
    options?: { account?: string | undefined; through?: string | undefined },
  ): Promise<boolean>;
  /**
   * Gives a form to somebody else, or with `to: undefined` back to the user whose turn asks. `by` is that user, or decides it
   * now; the rule `assign` of `createRuntime` says whether they may.
   */
  assign: HandOver["assign"];
  /** To whom a user who decides a form of another user's turn may give it: `choicesOf` of the rule. */
  assigneesFor: HandOver["assigneesFor"];
  /**
   * Tells the user or the group anew that a form waits for them, because the user whose turn asks wants it. No sooner than
   * `noticesPerHour` of `createRuntime` spreads over an hour.
   */
  remind: HandOver["remind"];
  /**
   * Reports that the external flow failed. The user sees `lastError` and may try again. `through`, also of the others: where
   * the user did it, such as `page`, for the record; absent if server code reports what it heard elsewhere.
   */
  fail(elicitationId: string, lastError: string, by?: { through?: string | undefined }): Promise<boolean>;
  /** The user tries again: clears `lastError`. */
  retry(elicitationId: string, by?: { through?: string | undefined }): Promise<void>;
  /** The user declined on the page. */
  decline(elicitationId: string, by?: { through?: string | undefined }): Promise<boolean>;
  /**
   * Ends the request as withdrawn, because an operator wants it. The turn continues, as if it had withdrawn the question itself.
   * `by` and `through` are for the decision log. Returns `false` if the request had already ended, or is unknown.
   */
  withdraw(
    elicitationId: string,
    how: { readonly reason: string; readonly by: string; readonly through: string },
  ): Promise<boolean>;
  /**
   * Returns a ticket for the browser that holds `challenge` (43 characters). For one minute, the ticket proves to the
   * hosted page that this user's chat session is in that browser (contract, section 6). Changes nothing. Returns
   * `undefined` if the request is unknown, another user decides it, or it has ended.
   */
  vouch(elicitationId: string, user: User, challenge: string): Promise<string | undefined>;
  /** Like `vouch`, for a challenge that came through the chat's window. The two tickets are not interchangeable. */
  bind(elicitationId: string, user: User, challenge: string): Promise<string | undefined>;
  /**
   * Seals who is signed in to the chat, for pages of the hosted page that are about a user and no request. Processes that
   * share such pages have the same `answerKey`.
   */
  readonly users: UserSeals;
  /** The answers that users let their tools use again. `undefined`: this runtime remembers none. */
  readonly remembered: Remembering | undefined;
  /**
   * Calls `listener` once, when this process ends the request or learns that another process has. Returns a function
   * that removes the listener.
   */
  onEnd(record: ElicitationRecord, listener: () => void): () => void;
}
