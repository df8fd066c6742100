/**
 * The wire contract as types: what client and server send to each other. `guard.ts` checks these shapes without a
 * dependency, for browsers; `schema.ts` checks them with zod, for servers. A property test proves that both agree. Known
 * properties are checked, unknown ones are kept, because the contract only ever adds properties.
 */

/** The request header with which a client declares that it can show elicitations. Compared exactly with `"true"`. */
export const SUPPORTS_ELICITATION_HEADER = "x-supports-elicitation";
/** The part and chunk type of a request on a UI message stream. Its `id` is the `elicitationId`. */
export const REQUEST_PART_TYPE = "data-elicitation-request";
/** The part type of an answer inside a user message (the fast path). */
export const RESPONSE_PART_TYPE = "data-elicitation-response";

/** `url`: the user does something on a web page (connect an account). `form`: the user enters values in a form. */
export type ElicitationMode = "url" | "form";
/** `decline` is an explicit no. `cancel` is a dismissal (Escape, ×). Tools get different results for them. */
export type ElicitationAction = "accept" | "decline" | "cancel";
/** How a request ended. Only the server decides this. */
export type ElicitationOutcome = "accepted" | "declined" | "cancelled" | "expired" | "withdrawn" | "failed";

/** The outcome of a request that ends with this answer. */
export const outcomeOfAction = {
  accept: "accepted",
  decline: "declined",
  cancel: "cancelled",
} as const satisfies Record<ElicitationAction, ElicitationOutcome>;

/** The answer to one property. A number is used for `number` and `integer`, a list for a multi-select. */
export type ContentValue = string | number | boolean | readonly string[];
/** The answer to a form: property name to value. It contains no fields that the user left untouched. */
export type ElicitationContent = Readonly<Record<string, ContentValue>>;

/** The end of a request, as written to the stream and into history. It never contains the content of a form. */
export interface ElicitationResolution {
  outcome: ElicitationOutcome;
  /** RFC 3339. */
  at: string;
  reason?: string | undefined;
  /**
   * The provider's name for a connected account, such as a name or an e-mail address. Untrusted text: show at most 100
   * characters, on one line.
   */
  account?: string | undefined;
  /** For a form that a remembered answer has answered, without asking the user. `forget` takes this value. */
  remembered?: string | undefined;
  /** The name of another user who has answered instead: see `assignee`. */
  by?: string | undefined;
  /** With `accepted`: the user left the decision to the agent. */
  delegated?: true | undefined;
}

/** A change of a request that has not ended. */
export interface ElicitationProgress {
  /**
   * `pending`: the attempt on the page failed (`lastError` says why); the user may try again. `consented`: the user
   * agreed to open the page, or is on it again. `completed`: the page is complete, and the server is about to end the
   * request as accepted.
   */
  status: "pending" | "consented" | "completed";
  /** Why the last attempt on the page failed, for display. Always present when `status` is `pending`. */
  lastError?: string | undefined;
  /** With a `lastError`: the user has cancelled at the provider, which is no fault. */
  byUser?: boolean | undefined;
}

/** A restricted JSON Schema: one flat object. `elicit-kit/form` decides whether each property can be shown. */
export interface RequestedSchema {
  type: "object";
  properties: Readonly<Record<string, unknown>>;
  required?: readonly string[] | undefined;
  [keyword: string]: unknown;
}

interface ElicitationRequestBase {
  type: "elicitation-request";
  /** Opaque, unguessable, used once: 1 to 256 characters, none of them invisible. In a path it is percent-encoded. */
  elicitationId: string;
  /** Why the user is asked. Plain text: it is never rendered as markup, and links in it are not clickable. */
  message: string;
  context?: { trigger: string; [key: string]: unknown } | undefined;
  /**
   * `name` is set by the operator of the chat's server. `claimedName` comes from a third party and is shown as a claim.
   */
  requester?: { name: string; claimedName?: string | undefined } | undefined;
  /** Requests of one round are answered together: an answer is held until all `size` answers are there. */
  round?: { id: string; size: number } | undefined;
  toolCallId?: string | undefined;
  /**
   * Somebody else decides, and this user only waits: `name` says who. `takeBack`: this user may decide themself after all.
   * `remind`: the other one can get its notice again (contract, section 4).
   */
  assignee?: { name: string; takeBack?: boolean | undefined; remind?: boolean | undefined } | undefined;
  /** This user decides in place of another one, whose agent asks: `name` says for whom. */
  from?: { name: string } | undefined;
  /** Where this user decides (no `assignee`), they may give it to somebody else (contract, section 4). */
  giveOn?: boolean | undefined;
  /** RFC 3339, on the server's clock. Later in a repeated request whose user got more time. */
  expiresAt?: string | undefined;
  /** RFC 3339. The server gives more time, up to this moment. Absent: `expiresAt` does not change. */
  extendableUntil?: string | undefined;
  progress?: ElicitationProgress | undefined;
  /** Present once the request has ended. */
  resolution?: ElicitationResolution | undefined;
}

/**
 * What the user does on the page of a URL request: connects an account, opens a page to do something there, pays, or
 * signs. It decides the texts of a card.
 */
export type PagePurpose = "connect" | "open" | "pay" | "sign";

/** The service that a page connects, as described by the operator of the chat's server. */
export interface ServiceInfo {
  /** The name for users: "Tracker". */
  name: string;
  /** A `data:` URL of an image of at most 8 KiB. A client shows no other icon. */
  iconDataUrl?: string | undefined;
}

/**
 * Asks the user to do something on a page, such as to connect an account. No data of the page passes through the chat.
 */
export interface UrlElicitationRequest extends ElicitationRequestBase {
  mode: "url";
  /** The absolute URL of the page. Untrusted: it is inspected before it is shown, and opened only by a click. */
  url: string;
  /** The meaning of an accept: the work on the page is complete (default), or the user only agreed to open it. */
  acceptMeans?: "completion" | "consent" | undefined;
  /** The service that the page connects, or the service that owns the page. */
  service?: ServiceInfo | undefined;
  /** The purpose of the page: a {@link PagePurpose}, or one from a later version. Read it with {@link purposeOf}. */
  purpose?: string | undefined;
  requestedSchema?: undefined;
  remember?: undefined;
  delegate?: undefined;
}

/**
 * Offers the user to remember their answer for the same question of the same tool. A client sends `remember` only if they
 * have ticked it.
 */
export interface RememberOffer {
  /** How long, in days: at least 1. */
  days: number;
  /** The kind of question, described by the operator ("Create a draft"). Absent: only exactly the same question. */
  kind?: string | undefined;
  /** `conversation`: allows every call of this tool in this conversation, instead of the same question. */
  scope?: string | undefined;
}

/** Asks for values in a form. Never use it for secrets: those are entered on a separate page, in URL mode. */
export interface FormElicitationRequest extends ElicitationRequestBase {
  mode: "form";
  requestedSchema: RequestedSchema;
  /** The answer may be remembered. Absent: it may not, and the server ignores `remember` of the answer. */
  remember?: RememberOffer | undefined;
  /** The user may leave the decision to the agent, which has an answer of its own ("You decide"). */
  delegate?: true | undefined;
  url?: undefined;
}

/**
 * A request from an agent to a user: to do something on a page (`url`), or to fill in a form (`form`) (contract, section
 * 1).
 */
export type ElicitationRequest = UrlElicitationRequest | FormElicitationRequest;

/**
 * Returns the purpose of a request's page. Without a purpose, a page that names a service, or that is needed because a
 * credential is missing, connects an account. An unknown purpose counts as `open`.
 */
export function purposeOf({
  purpose,
  service,
  context,
}: Pick<UrlElicitationRequest, "purpose" | "service" | "context">): PagePurpose {
  if (purpose === "connect" || purpose === "pay" || purpose === "sign") return purpose;
  if (purpose !== undefined) return "open";
  return service !== undefined || context?.trigger === "credential_required" ? "connect" : "open";
}

/** Tells a client that cannot show requests which account is missing (contract, section 2). */
export interface ToolAuthRequired {
  type: "data-tool-auth-required";
  toolCallId: string;
  toolName: string;
  /** The id of the server that needs the account. */
  toolId: string;
  /** The name of the server for users: "Tracker". */
  mcpServerName?: string | undefined;
  /** The URL of the server, without its query. */
  mcpServerUrl?: string | undefined;
  message: string;
  /** The link to the page where the user connects the account. Inspect it like the URL of a request. */
  authLink?: string | undefined;
}

/** The limit in code points. */
export const MAX_NOTE_LENGTH = 500;

/** The limit of an answer, in bytes of UTF-8 (contract, section 4). */
export const MAX_ANSWER_BYTES = 64 * 1024;

/** The user's answer. It has `content` only with `accept` of a form. */
export interface ElicitationResponse {
  elicitationId: string;
  action: ElicitationAction;
  content?: ElicitationContent | undefined;
  /** Only with `decline`: what the user wants instead, as free text. It is for the agent, never for a third party. */
  note?: string | undefined;
  /** Only with `accept`: the user wants the kit to remember this answer, as the request has offered. */
  remember?: boolean | undefined;
  /** Only with `accept`, in place of `content`, and never remembered: the user leaves the decision to the agent. */
  delegated?: true | undefined;
}

/** The body of `POST /run/api/elicitation-responses`. */
export interface ElicitationAnswer extends ElicitationResponse {
  conversationId: string;
}

/** The reply of `GET /run/api/elicitations/:id`. */
export interface StatusReport {
  elicitationId: string;
  status: "pending" | "consented" | "completed" | ElicitationOutcome;
  lastError?: string | undefined;
  /** With a `lastError`: the user has cancelled at the provider, which is no fault. */
  byUser?: boolean | undefined;
  expiresAt: string;
  /** The server's clock, RFC 3339. It lets a client count down without trusting its own clock. */
  now: string;
}

/** The user or the group that decides instead of the user whose agent asks. In a group, the first answer counts. */
export type Assignee =
  | { readonly user: string; readonly group?: undefined }
  | { readonly group: string; readonly user?: undefined };

/** Answer of `GET /run/api/elicitations/:id/assignees`: to whom the user who decides may give the request. */
export interface AssigneeList {
  assignees: readonly { to: Assignee; name: string }[];
}

/** The reply of `GET /run/api/elicitations?conversationId=…`: the open requests, oldest first. */
export interface ElicitationList {
  elicitations: readonly ElicitationRequest[];
}

/**
 * The reply of `GET /run/api/elicitations` without a conversation: a page of this user's open requests in all
 * conversations, oldest first. Each event of its stream is the first page at that time.
 */
export interface InboxPage {
  items: readonly {
    /** The conversation for the answer. */
    conversationId: string;
    /** Kind of the surface that the request came through, such as `chat` or `slack`. */
    surface?: string | undefined;
    /** RFC 3339. */
    askedAt: string;
    request: ElicitationRequest;
  }[];
  /** The value of `after` for the next page. Absent on the last page. */
  next?: string | undefined;
}

/** The server's reply to an answer (statuses 200 and 202). */
export type AnswerAck = { success: true; elicitationId: string } & (
  | { outcome: ElicitationOutcome; alreadyProcessed?: true | undefined }
  | { status: "consented" }
  | { status: "pending"; lastError?: string | undefined; byUser?: boolean | undefined }
);

/** The server's reply to several answers in one message (the fast path), with status 200. */
export interface AnswerResults {
  /** Whether all answers were taken (a status below 300). */
  success: boolean;
  /** One entry for each answer, in order: the status and the body that it would have got alone. */
  results: readonly { elicitationId: string; status: number; body: AnswerAck | Problem }[];
}

/** One field of a form that the server refused. `code` is stable (see `elicit-kit/form`), `message` is English. */
export interface ContentError {
  field: string;
  code: string;
  message: string;
}

/** The problem+json body of every refusal (RFC 9457). */
export interface Problem {
  title: string;
  status: number;
  detail: string;
  /**
   * With 409: `content-differs`, or `assigned` if the request waits for another user. Absent if `outcome` contains how
   * the request had already ended.
   */
  code?: string | undefined;
  outcome?: ElicitationOutcome | undefined;
  /** With 400: the fields with invalid values. The request stays open. */
  errors?: readonly ContentError[] | undefined;
}
