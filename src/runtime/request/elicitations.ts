import type { ElicitationAnswer } from "../../contract/contract.ts";
import type { User } from "../../base/identity.ts";
import type { UserSeals } from "../../base/user-seal.ts";
import type { ElicitationRecord } from "../ports/index.ts";
import type { AnswerResult } from "./answer-result.ts";
import type { HandOver } from "./features/who-decides.ts";
import type { Extend } from "./more-time.ts";
import type { Remembering } from "./features/remembering.ts";

/** The requests of a runtime, for its routes, its hosted page and other server code that ends requests. */
export interface ElicitationService {
  /** For trusted server code: it does not check which user the request belongs to. */
  get(elicitationId: string): Promise<ElicitationRecord | undefined>;
  /** Returns the request only if it belongs to this user, whose turn asks. Another user may decide it (`assigned`). */
  find(elicitationId: string, userId: string): Promise<ElicitationRecord | undefined>;
  /**
   * Like `findToAnswer`, and also returns a request of this user's turn while another user decides it. It is then `assigned`.
   */
  findToShow(elicitationId: string, userId: string): Promise<ElicitationRecord | undefined>;
  /**
   * Returns the request only if this user decides it. A question of another user's turn has the form of their own
   * questions, without that turn, and with its own id as the conversation.
   */
  findToAnswer(elicitationId: string, userId: string): Promise<ElicitationRecord | undefined>;
  listOpen(conversationId: string, userId: string): Promise<readonly ElicitationRecord[]>;
  /**
   * The origins of chats, if `allowedOrigins` of `createRuntime` lists them. If a chat on one of them opened the hosted
   * page, the page asks that chat to identify the user.
   */
  readonly chatOrigins: readonly string[];
  /**
   * The link to the hosted page of a request, for clients that cannot show it, such as a mail or a terminal. It contains
   * only the id, and works only for the user of the request (contract, section 6) and while the request is open. The page
   * shows forms, connects accounts, and links to third-party pages after the user has agreed. `undefined` without
   * `hostedPage` of `createRuntime`.
   */
  linkFor(elicitationId: string): string | undefined;
  /**
   * Handles a user's answer. Of two concurrent answers, the first to be stored counts. `acceptMeans: "consent"`: in the
   * protocol that carried this answer, accepting a URL request only means that the user agreed to open the page.
   * `through` is the surface of the answer, and `answerId` its message, for the record. @default "chat"
   */
  answer(
    answer: ElicitationAnswer,
    userId: string,
    options?: {
      acceptMeans?: "consent" | undefined;
      through?: string | undefined;
      answerId?: string | undefined;
    },
  ): Promise<AnswerResult>;
  /**
   * Ends the request as accepted because the external flow has finished. `store` saves the result of that flow, such as a
   * credential. It runs before the agent continues, and only if this call ends the request, so a withdrawn or expired
   * request stores nothing. If `store` rejects, the request ends as failed and this call rejects. `account` is the
   * provider's name for the connected account, which the receipt shows. Returns `false` if the request had already ended,
   * in which case `store` did not run.
   */
  complete(
    elicitationId: string,
    store?: () => Promise<void>,
    options?: { account?: string | undefined; through?: string | undefined },
  ): Promise<boolean>;
  /**
   * Assigns a form to another user or group, or with `to: undefined` back to the user whose turn asks. `by` is that user
   * or the current assignee. The rule `assign` of `createRuntime` decides whether they may.
   */
  assign: HandOver["assign"];
  /** Returns to whom the user who decides a form may give it: `choicesOf` of the rule. */
  assigneesFor: HandOver["assigneesFor"];
  /**
   * Notifies the user or the group again that a form waits for them, at the request of the user whose turn asks.
   * `notices.perHour` of `createRuntime` limits how often.
   */
  remind: HandOver["remind"];
  /**
   * Gives the user of an open request more time: once more as long as at first, up to its `extendableUntil`. The other
   * requests of its round get it, too. `userId` is the user whose turn asks, or who decides.
   */
  extend: Extend;
  /**
   * Reports that the external flow failed. The user sees `lastError` and may try again. `through`, here and below, is the
   * surface that the user used, such as `page`, for the record. Absent if server code reports an event from outside.
   * `cause` is for the page of the request.
   */
  fail(
    elicitationId: string,
    lastError: string,
    by?: { through?: string | undefined; cause?: ElicitationRecord["lastErrorCause"] },
  ): Promise<boolean>;
  /** The user tries again: clears `lastError`. */
  retry(elicitationId: string, by?: { through?: string | undefined }): Promise<void>;
  /** The user declined on the page. */
  decline(elicitationId: string, by?: { through?: string | undefined }): Promise<boolean>;
  /**
   * Ends the request as withdrawn, for an operator. The turn continues, as if it had withdrawn the question itself. `by`
   * and `through` are for the decision log. Returns `false` if the request had already ended, or is unknown.
   */
  withdraw(
    elicitationId: string,
    how: { readonly reason: string; readonly by: string; readonly through: string },
  ): Promise<boolean>;
  /**
   * Returns a ticket for the browser with `challenge` (43 characters). For one minute, the ticket proves to the hosted
   * page that this user's chat session is in that browser (contract, section 6). Changes nothing. Returns `undefined` if
   * the request is unknown, or neither belongs to this user nor waits for them.
   */
  vouch(elicitationId: string, user: User, challenge: string): Promise<string | undefined>;
  /**
   * Like `vouch`, for a challenge that came through the chat's window, and only for an open request: the chat itself
   * shows how it ended. The two tickets are not interchangeable.
   */
  bind(elicitationId: string, user: User, challenge: string): Promise<string | undefined>;
  /**
   * Seals the user who is signed in to the chat, for hosted pages that belong to a user and not to a request. Processes
   * that share such pages need the same `answerKey`.
   */
  readonly users: UserSeals;
  /** The remembered answers of users. `undefined`: this runtime remembers none. */
  readonly remembered: Remembering | undefined;
  /**
   * Calls `listener` once, when this process ends the request or learns that another process has. Returns a function
   * that removes the listener.
   */
  onEnd(record: ElicitationRecord, listener: () => void): () => void;
}
