import type { Assignee, ElicitationOutcome, ElicitationRequest } from "../../contract/contract.ts";
import type { User } from "../../base/identity.ts";

/**
 * The tool that asks. `id` identifies the connection whose credential it needs, or the tool itself. A refusal applies to
 * this id for the rest of the turn. `name` is the tool's name for the model.
 */
export interface ToolRef {
  readonly id: string;
  readonly name: string;
}

/**
 * The server that a request to connect an account is about, and what it said when it refused a call. The hosted page
 * reads from it where the user signs in. The words are a stranger's.
 */
export interface SignInTarget {
  /** URL of the MCP server. */
  readonly url: string;
  /** Its name for users. */
  readonly service: string;
  /** Where it says its metadata is (RFC 9728). */
  readonly resourceMetadata?: string | undefined;
  /** The scopes to ask for, space-separated. */
  readonly scope?: string | undefined;
  /** The user connects an account besides those that they have connected there. */
  readonly another?: true | undefined;
}

/** A request that waits for somebody else than the user whose turn asks. */
export interface Assignment {
  readonly to: Assignee;
  /** What the user whose turn asks reads of them, and they of that user. */
  readonly name: string;
  readonly from: string;
  /** Whether the rule of the application let the user decide themself when this was assigned. */
  readonly mayTakeBack: boolean;
}

/**
 * The stored state of one request, kept until 24 hours after its end, and while its turn is open. Plain data: a store may serialise it as JSON. It
 * never contains what the user typed, only a digest that tells a repeated answer from a different one. The key of the
 * digest is not in the record (`answerKey` of the runtime).
 */
export interface ElicitationRecord {
  /** Incremented with every change. Compared by `compareAndSet`. */
  readonly revision: number;
  /** The request as it was asked, without `progress` and `resolution`, which follow from the fields below. */
  readonly request: ElicitationRequest;
  /** The turn whose stream shows the request. For a delegated agent, the turn that the user started. */
  readonly turnId: string;
  /** Kind of the surface that the turn came through, such as `chat`. */
  readonly surface: string;
  readonly conversationId: string;
  /** The user whose turn asks. */
  readonly user: User;
  /** Whom it waits for, or who has ended it, if that is not `user`. */
  readonly assigned?: Assignment | undefined;
  /** Whom it waited for before that. */
  readonly assignedBefore?: Assignee | undefined;
  readonly tool?: ToolRef | undefined;
  /** Never sent to clients. */
  readonly signIn?: SignInTarget | undefined;
  /** Origin of the chat, if it is allowed. A hosted page may post its hints there. */
  readonly chatOrigin?: string | undefined;
  /** Where the chat wants the user to return to. Not validated: the hosted page has its own allow-list. */
  readonly returnUrl?: string | undefined;
  /** Milliseconds since the epoch, on the server's clock. */
  readonly createdAt: number;
  readonly expiresAt: number;
  /**
   * When its absent user first gets a notice, or was to get it again (`reminded`). Later times are in the store (`notices`).
   * Absent: never.
   */
  readonly noticeAt?: number | undefined;
  readonly status: "pending" | "consented" | ElicitationOutcome;
  /** Why the last attempt on the page failed. */
  readonly lastError?: string | undefined;
  /** How many invalid answers protocols with a limit of attempts have taken. @default 0 */
  readonly attempts?: number | undefined;
  /**
   * 32 random bytes as base64url. Tickets and proofs of the hosted page are MACs under it (contract, section 6). Keep it
   * from clients and logs, like a password.
   */
  readonly vouchKey: string;
  readonly endedAt?: number | undefined;
  readonly reason?: string | undefined;
  /** What the provider calls the account that was connected. Shown to the user. */
  readonly account?: string | undefined;
  readonly answerDigest?: string | undefined;
  /** Set when an answer is remembered: `used`, it has answered this request; `kept`, the user has let this one be used again. */
  readonly remembered?: "used" | "kept" | undefined;
  /**
   * Who made the last change. `userId`: the user or the operator; absent if server code of the application has reported it.
   * `through`: the surface, such as `chat`, `slack` or `page`. `assigned`: they gave the request to somebody else, or took it
   * back. `reminded`: the user it is assigned to gets its notice again. The whole is absent if nobody made the last change: the request expired, for example, or joined a round.
   */
  readonly changedBy?:
    | {
        readonly userId?: string | undefined;
        readonly through?: string | undefined;
        readonly at: number;
        readonly assigned?: true | undefined;
        readonly reminded?: true | undefined;
      }
    | undefined;
  /** What others call the user of a group who has ended it. */
  readonly endedBy?: string | undefined;
}
