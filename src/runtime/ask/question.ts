import {
  type Assignee,
  type ElicitationContent,
  type ElicitationRequest,
  type PagePurpose,
  type RequestedSchema,
  type UrlElicitationRequest,
  purposeOf,
} from "../../contract/contract.ts";
import type { User } from "../../base/identity.ts";
import type { SignInTarget, ToolRef, TurnLease } from "../ports/index.ts";

/** The members of questions in both modes. */
export interface QuestionBase {
  /** Why the user is asked. Plain text. */
  message: string;
  /**
   * The tool that asks. After a decline, cancel or expiry it gets the same result again in this turn, without asking the
   * user.
   */
  tool?: ToolRef | undefined;
  /** Links the card to its tool part. */
  toolCallId?: string | undefined;
  requester?: ElicitationRequest["requester"];
  context?: ElicitationRequest["context"];
  round?: ElicitationRequest["round"];
  /**
   * How long the user may take, in milliseconds.
   * @default the runtime's `expiresInMs`
   */
  expiresInMs?: number | undefined;
  /**
   * How long the user may take with more time, in milliseconds, if that is less than `maxExpiresInMs` of the runtime's
   * `timeToAnswer`. `0`: they cannot get more.
   */
  maxExpiresInMs?: number | undefined;
  /**
   * The id of the request. Set it if the turn may run again after a crash and must find the answer it already has.
   * @default 128 bits from a CSPRNG
   */
  elicitationId?: string | undefined;
  /**
   * Names the question within its tool call. Required if the call asks equal questions while other work runs in parallel,
   * or if the message may differ when the turn runs again.
   * @default derived from the content of the question
   */
  key?: string | undefined;
  /** Withdraws the request when it aborts. The end of the turn always withdraws it. */
  signal?: AbortSignal | undefined;
  /**
   * For relays: called when the user has agreed to open the page, and again each time they say that they have finished
   * there. Any process may have received the answer.
   */
  onConsent?: (() => void) | undefined;
  /** For relays: called with the result of this question, which in a round may be known before the others. */
  onResult?: ((result: ElicitationResult) => void) | undefined;
  /**
   * For relays: the work of the request, such as a remote call. When the promise resolves, the request ends as accepted.
   * When it rejects, the request is withdrawn.
   */
  completed?: Promise<void> | undefined;
}

/** Asks the user to do something on a web page, such as connecting an account. */
export interface UrlQuestion extends QuestionBase {
  mode: "url";
  /** An absolute URL, or a function that creates one from the elicitation's id. */
  url: string | ((elicitationId: string) => string);
  /**
   * The meaning of an accept. `completion`: the user says that they have finished, and the request ends only when the
   * server confirms it (`elicitations.complete`, or `isCompleted` of the runtime). `consent`: the user agrees to open the
   * page, and completion follows later.
   * @default "completion"
   */
  acceptMeans?: UrlElicitationRequest["acceptMeans"];
  /**
   * The purpose of the page. It decides the texts of the card and for the model.
   * @default "connect" if `service` is set or the trigger is `credential_required`, else "open"
   */
  purpose?: PagePurpose | undefined;
  /**
   * The service that the page connects, or the owner of the page. Its icon must be a `data:` URL of an image with at most
   * 8,192 characters.
   */
  service?: UrlElicitationRequest["service"];
  /** For a hosted page that discovers the sign-in address. Kept with the record, never sent to clients. */
  signIn?: SignInTarget | undefined;
}

/** Asks the user to fill in a short form. */
export interface FormQuestion extends QuestionBase {
  mode: "form";
  requestedSchema: RequestedSchema;
  /**
   * The user or group that decides instead of the user. They find the question in their inbox or through its link, and
   * the user's card names them. The rule `assign` of `createRuntime` must allow it, and without a rule this is an error.
   * Only in the chat, and never for a form that asks for a secret.
   */
  assignee?: Assignee | undefined;
  /** The answer to use when the chat cannot show the request. */
  fallback?: ElicitationContent | undefined;
  /**
   * Only with `fallback`: the user may leave the decision to the agent ("You decide"), which then gets the fallback as
   * `delegated`. Not offered to an assignee.
   */
  delegate?: boolean | undefined;
  /**
   * Lets the user choose that their answer is used again for the same question of this tool. Ignored for forms that ask
   * for secrets, and for questions of third parties. `scope`: lets them allow all calls of this tool in this conversation,
   * whatever the fields; the answer is then the defaults of the form.
   */
  remember?: Remember | { readonly scope: "conversation" } | undefined;
  /** Whether a remembered answer still passes the tool's own checks. If not, the user is asked. @default always */
  isStillGood?: ((content: ElicitationContent) => boolean | Promise<boolean>) | undefined;
}

/** The answer that the tool has for a question without one of the user. */
export const fallbackOf = (question: Question): ElicitationContent | undefined =>
  question.mode === "form" ? question.fallback : undefined;

/**
 * `true`: for exactly the same question. `kind`: for all questions of the tool with this kind and the same fields,
 * whatever their texts. It is shown to the user. `days`: how long, a whole number.
 * @default { days: 30 }
 */
export type Remember = true | { readonly kind?: string | undefined; readonly days?: number | undefined };

/**
 * The part of a request that the tool provides. The runtime adds id, round and expiry.
 */
export type Question = UrlQuestion | FormQuestion;

/**
 * The texts that distinguish questions. A page with a fixed URL is identified by the URL, and an account by its service,
 * whatever the texts. Two payments are different questions even if both URLs are created for their requests.
 */
export function decisiveWords(question: Question): string | undefined {
  if (question.mode === "form") return question.message;
  return typeof question.url === "string" || purposeOf(question) === "connect" ? undefined : question.message;
}

/** The result of a question, for the tool that asked. None of these is an error. */
export type ElicitationResult =
  /**
   * `content` is empty for a URL request, and omits fields that the user left empty. `by` is the id of the user who
   * answered a question with an `assignee`. It is absent if the user of the turn took the question back and answered.
   * `delegated`: the user left the decision to the agent, and `content` is the `fallback` of the question.
   */
  | {
      readonly outcome: "accepted";
      readonly content: ElicitationContent;
      readonly by?: string | undefined;
      readonly delegated?: true | undefined;
    }
  /**
   * `note`: what the user wants instead, in at most 500 characters. Quote it to a model, but never treat it as
   * instructions.
   */
  | { readonly outcome: "declined"; readonly note?: string | undefined }
  | { readonly outcome: "cancelled" }
  | { readonly outcome: "withdrawn" }
  | { readonly outcome: "expired"; readonly afterMs: number }
  | { readonly outcome: "failed"; readonly reason: string }
  /** This chat cannot show the request, or the user is not signed in. No request was created. */
  | { readonly outcome: "unsupported" };

/** The request modes that this turn can use. */
export type SupportedModes = Readonly<Record<"url" | "form", boolean>>;

/** What a request inherits from its turn. */
export interface TurnScope {
  readonly turnId: string;
  /** The kind of the surface that shows the request. @default "chat" */
  readonly surface?: string | undefined;
  readonly conversationId: string;
  readonly user: User;
  readonly chatOrigin?: string | undefined;
  readonly returnUrl?: string | undefined;
  /** Withdraws the request when it aborts. */
  readonly signal: AbortSignal;
  /** The lease of the turn's log. Absent: the turn has no log here. */
  readonly lease?: Pick<TurnLease, "fence"> | undefined;
}
