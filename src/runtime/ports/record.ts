import type { Assignee, ElicitationOutcome, ElicitationRequest } from "../../contract/contract.ts";
import type { User } from "../../base/identity.ts";

/**
 * The tool that asks. `id` identifies the connection whose credential it needs, or the tool itself. A refusal by the user
 * applies to this id for the rest of the turn. `name` is the tool's name for the model. `ownName` is its name
 * without what was put in front for the model, such as its name at its MCP server. It is untrusted. `isNew`: nothing was
 * connected under `id` when it asked, and the user connects an additional account.
 */
export interface ToolRef {
  readonly id: string;
  readonly name: string;
  readonly ownName?: string | undefined;
  readonly isNew?: true | undefined;
}

/**
 * The server of a request to connect an account, and the details from its refusal. The hosted page finds the sign-in
 * address from them. The details are untrusted.
 */
export interface SignInTarget {
  /** The URL of the MCP server. */
  readonly url: string;
  /** The name of the server for users. */
  readonly service: string;
  /** The URL of its metadata, as the server names it (RFC 9728). */
  readonly resourceMetadata?: string | undefined;
  /** The scopes to request, separated by spaces. */
  readonly scope?: string | undefined;
  /** Whether the user connects an additional account of the service. */
  readonly another?: true | undefined;
}

/** The assignment of a request to another user or group than the user whose turn asks. */
export interface Assignment {
  readonly to: Assignee;
  /** The name of the assignee for the user whose turn asks, and the name of that user for the assignee. */
  readonly name: string;
  readonly from: string;
  /** Whether the rule of the application let the user decide themself at the time of the assignment. */
  readonly mayTakeBack: boolean;
}

/**
 * The stored state of one request, kept until 24 hours after its end, and while its turn is open. Plain data: a store may
 * serialise it as JSON. It never contains the user's input, only a digest that shows whether an answer is a repetition.
 * The key of the digest (`answerKey` of the runtime) is not in the record.
 */
export interface ElicitationRecord {
  /** Incremented with every change. Compared by `compareAndSet`. */
  readonly revision: number;
  /** What a process must understand to handle the record. One of an older version leaves it to newer ones. */
  readonly needs?: readonly string[] | undefined;
  /**
   * The request as it was asked, with its first `expiresAt`. Its `progress`, its `resolution` and the end that it has now
   * are derived from the fields below.
   */
  readonly request: ElicitationRequest;
  /** The turn whose stream shows the request. For a delegated agent, the turn that the user started. */
  readonly turnId: string;
  /** Kind of the surface that the turn came through, such as `chat`. */
  readonly surface: string;
  readonly conversationId: string;
  /** The user whose turn asks. */
  readonly user: User;
  /** The assignee that the request waits for, or that has ended it, if that is not `user`. */
  readonly assigned?: Assignment | undefined;
  /** The previous assignee. */
  readonly assignedBefore?: Assignee | undefined;
  readonly tool?: ToolRef | undefined;
  /** Never sent to clients. */
  readonly signIn?: SignInTarget | undefined;
  /** The origin of the chat, if it is allowed. A hosted page may post messages to it. */
  readonly chatOrigin?: string | undefined;
  /** The URL to which the user should return. Not validated, because the hosted page has its own allow-list. */
  readonly returnUrl?: string | undefined;
  /** Milliseconds since the epoch, on the server's clock. */
  readonly createdAt: number;
  /** Later than in `request` if the user got more time. */
  readonly expiresAt: number;
  /**
   * When its absent user first gets a notice, or gets it again (`reminded`). The store keeps later times (`notices`).
   * Absent: never.
   */
  readonly noticeAt?: number | undefined;
  readonly status: "pending" | "consented" | ElicitationOutcome;
  /** Why the last attempt on the page failed, in the words that clients show. */
  readonly lastError?: string | undefined;
  /**
   * The same for the hosted page, which says it in the language of its reader: a reason of its own, and the error code of
   * the service. Absent if other code has reported the failure: the page then shows `lastError`.
   */
  readonly lastErrorCause?: { readonly reason: string; readonly code?: string | undefined } | undefined;
  /** The number of invalid answers, for protocols with a limit of attempts. @default 0 */
  readonly attempts?: number | undefined;
  /**
   * 32 random bytes as base64url. The tickets and proofs of the hosted page are MACs with this key (contract, section 6).
   * Keep it out of clients and logs, like a password.
   */
  readonly vouchKey: string;
  readonly endedAt?: number | undefined;
  readonly reason?: string | undefined;
  /** The provider's name for the connected account. Shown to the user. */
  readonly account?: string | undefined;
  readonly answerDigest?: string | undefined;
  /** The message that ended it: A2A keeps its id, hashed. A message that arrives again answers no other request. */
  readonly answerId?: string | undefined;
  /** The user let the kit remember this answer. */
  readonly remembered?: "kept" | undefined;
  /** The user left the decision to the agent. */
  readonly delegated?: true | undefined;
  /** The key of the remembered answer that has answered this request. */
  readonly usedAnswer?: string | undefined;
  /** The rule of `beforeAsk` that has answered, refused or assigned this request. */
  readonly policy?: string | undefined;
  /**
   * Who made the last change. `userId`: the user or the operator; absent if server code of the application has reported
   * it. `through`: the surface, such as `chat`, `slack` or `page`. `assigned`: they assigned the request to another user,
   * or took it back. `reminded`: the assignee gets the notice again. `extended`: they got more time. All of this is absent if no user made the last
   * change: for example, the request expired or joined a round.
   */
  readonly changedBy?:
    | {
        readonly userId?: string | undefined;
        readonly through?: string | undefined;
        readonly at: number;
        readonly assigned?: true | undefined;
        readonly reminded?: true | undefined;
        readonly extended?: true | undefined;
      }
    | undefined;
  /** The name of the group member who has ended it, for other users. */
  readonly endedBy?: string | undefined;
}
