/**
 * The wire contract as types: what client and server send to each other. `guard.ts` checks these shapes without a
 * dependency, for browsers; `schema.ts` checks them with zod, for servers. A property test proves that both agree.
 * Known properties are checked, unknown ones are kept: the contract grows by addition only.
 */

/** Request header with which a client says that it can show elicitations. Compared exactly with `"true"`. */
export const SUPPORTS_ELICITATION_HEADER = "x-supports-elicitation";
/** Part and chunk type of a request on a UI message stream; its `id` is the `elicitationId`. */
export const REQUEST_PART_TYPE = "data-elicitation-request";
/** Part type of an answer inside a user message (the fast path). */
export const RESPONSE_PART_TYPE = "data-elicitation-response";
/** Name in `source` of every message a hosted page posts to the window that opened it. */
export const COMPLETION_MESSAGE_SOURCE = "elicit-kit";

/** `url`: something is done on a web page (connect an account). `form`: a few facts are typed in. */
export type ElicitationMode = "url" | "form";
/** `decline` is an explicit no; `cancel` is a dismissal (Escape, ×). Tools get different results for them. */
export type ElicitationAction = "accept" | "decline" | "cancel";
/** How a request ended. Only the server decides this. */
export type ElicitationOutcome = "accepted" | "declined" | "cancelled" | "expired" | "withdrawn" | "failed";

/** The outcome of a request that ends by this answer. */
export const outcomeOfAction = {
  accept: "accepted",
  decline: "declined",
  cancel: "cancelled",
} as const satisfies Record<ElicitationAction, ElicitationOutcome>;

/** The answer to one property. A number stands for `number` and `integer`, a list for a multi-select. */
export type ContentValue = string | number | boolean | readonly string[];
/** The answer to a form: property name to value. What the user never touched is not in it. */
export type ElicitationContent = Readonly<Record<string, ContentValue>>;

/** The end of a request, as written to the stream and into history. Never carries the content of a form. */
export interface ElicitationResolution {
  outcome: ElicitationOutcome;
  /** RFC 3339. */
  at: string;
  reason?: string | undefined;
  /**
   * Of an account that was connected: what its provider calls it, such as a name or an e-mail address. A stranger's
   * words; show at most 100 characters of them, on one line.
   */
  account?: string | undefined;
  /** Of a form: an earlier answer that the user let be remembered has answered it. They were not asked. */
  remembered?: true | undefined;
  /** What the user reads of somebody else who has answered in their place: see `assignee`. */
  by?: string | undefined;
}

/** Something happened, but the request has not ended. */
export interface ElicitationProgress {
  /**
   * `pending`: the attempt on the page failed (`lastError` says why); the user may try again. `consented`: the user
   * agreed to open the page, or is on it again. `completed`: the page is done, and the server is about to end the
   * request as accepted.
   */
  status: "pending" | "consented" | "completed";
  /** Why the last attempt on the page failed, for display. Always there when `status` is `pending`. */
  lastError?: string | undefined;
}

/** Restricted JSON Schema: one flat object. `elicit-kit/form` says whether each property can be shown. */
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
  /** Why the user is asked. Plain text: never rendered as markup, links in it are never live. */
  message: string;
  context?: { trigger: string; [key: string]: unknown } | undefined;
  /** `name` is set by the operator of the chat's server; `claimedName` by a third party, shown as a claim. */
  requester?: { name: string; claimedName?: string | undefined } | undefined;
  /** Requests of one round are answered together: an answer is held until all `size` are there. */
  round?: { id: string; size: number } | undefined;
  toolCallId?: string | undefined;
  /**
   * Somebody else decides, and this user only waits: `name` says who. `takeBack`: this user may decide themself after all.
   * `remind`: the other one can get its notice again (contract, section 4).
   */
  assignee?: { name: string; takeBack?: boolean | undefined; remind?: boolean | undefined } | undefined;
  /**
   * This user decides in place of another one, whose agent asks: `name` says for whom. `giveOn`: this user may give it to
   * somebody else.
   */
  from?: { name: string; giveOn?: boolean | undefined } | undefined;
  /** RFC 3339, on the server's clock. */
  expiresAt?: string | undefined;
  progress?: ElicitationProgress | undefined;
  /** Present once the request has ended. */
  resolution?: ElicitationResolution | undefined;
}

/**
 * What the user does on the page of a URL request: connects an account, opens a page to do something there, pays, or
 * signs. Cards choose their words by it.
 */
export type PagePurpose = "connect" | "open" | "pay" | "sign";

/** What a page connects, in the words of the operator of the chat's server. */
export interface ServiceInfo {
  /** As people call it: "Tracker". */
  name: string;
  /** A `data:` URL of an image of at most 8 KiB. A client shows no other icon. */
  iconDataUrl?: string | undefined;
}

/**
 * Asks the user to do something on a page, such as to connect an account. Nothing of it passes through the
 * chat.
 */
export interface UrlElicitationRequest extends ElicitationRequestBase {
  mode: "url";
  /** Absolute URL of the page. Untrusted: it is inspected before it is shown, and opened only by a click. */
  url: string;
  /** What an accept says: the work on the page is done (default), or only that the user agreed to open it. */
  acceptMeans?: "completion" | "consent" | undefined;
  /** The service that the page connects, or the service that owns the page. */
  service?: ServiceInfo | undefined;
  /** What the page is for: a {@link PagePurpose}, or one that a later version adds. Read it with {@link purposeOf}. */
  purpose?: string | undefined;
  requestedSchema?: undefined;
  remember?: undefined;
}

/** The user may let their answer be used again when the same tool asks the same. A client sends it only if they have ticked it. */
export interface RememberOffer {
  /** How long, in days: at least 1. */
  days: number;
  /** The kind of question, in the operator's words ("Create a draft"). Absent: only the very same question. */
  kind?: string | undefined;
}

/** Asks for a few facts. Never for secrets: those are typed on a page of their own, in URL mode. */
export interface FormElicitationRequest extends ElicitationRequestBase {
  mode: "form";
  requestedSchema: RequestedSchema;
  /** The answer may be remembered. Absent: it may not, and the server ignores `remember` of the answer. */
  remember?: RememberOffer | undefined;
  url?: undefined;
}

/**
 * What an agent asks a user for: to do something on a page (`url`), or to fill in a form (`form`)
 * (contract, section 1).
 */
export type ElicitationRequest = UrlElicitationRequest | FormElicitationRequest;

/**
 * What the page of a request is for. Without a purpose, a page that names a service, or is asked for because a credential
 * is missing, connects an account. An unknown purpose is that of any other page: `open`.
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

/** Says to a client that cannot show requests which account is missing (contract, section 2). */
export interface ToolAuthRequired {
  type: "data-tool-auth-required";
  toolCallId: string;
  toolName: string;
  /** Id of the server that the account is for. */
  toolId: string;
  /** What people call the server: "Tracker". */
  mcpServerName?: string | undefined;
  /** Without its query. */
  mcpServerUrl?: string | undefined;
  message: string;
  /** Leads to the page where the account is connected. Inspect it as the URL of a request. */
  authLink?: string | undefined;
}

/** In code points. */
export const MAX_NOTE_LENGTH = 500;

/** The user's answer. `content` only with `accept` of a form. */
export interface ElicitationResponse {
  elicitationId: string;
  action: ElicitationAction;
  content?: ElicitationContent | undefined;
  /** Only with `decline`: what the user wants instead, in their words. For the agent, never for a third party. */
  note?: string | undefined;
  /** Only with `accept`: the user wants this answer to be used again, as the request has offered. */
  remember?: boolean | undefined;
}

/** Body of `POST /run/api/elicitation-responses`. */
export interface ElicitationAnswer extends ElicitationResponse {
  conversationId: string;
}

/** Answer of `GET /run/api/elicitations/:id`. */
export interface StatusReport {
  elicitationId: string;
  status: "pending" | "consented" | "completed" | ElicitationOutcome;
  lastError?: string | undefined;
  expiresAt: string;
  /** The server's clock, RFC 3339: lets a client count down without trusting its own. */
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

/** Answer of `GET /run/api/elicitations?conversationId=…`: the open requests, oldest first. */
export interface ElicitationList {
  elicitations: readonly ElicitationRequest[];
}

/**
 * Answer of `GET /run/api/elicitations` without a conversation: a page of the open requests of this user in all
 * conversations, oldest first. Each event of its stream is the first page as it is then.
 */
export interface InboxPage {
  items: readonly {
    /** The conversation to answer in. */
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

/** What the server says to an answer (statuses 200 and 202). */
export type AnswerAck = { success: true; elicitationId: string } & (
  | { outcome: ElicitationOutcome; alreadyProcessed?: true | undefined }
  | { status: "consented" }
  | { status: "pending"; lastError?: string | undefined }
);

/** What the server says to several answers in one message (the fast path), with status 200. */
export interface AnswerResults {
  /** Whether each of them was taken (a status below 300). */
  success: boolean;
  /** In the order of the answers: the status and the body that each would have got alone. */
  results: readonly { elicitationId: string; status: number; body: AnswerAck | Problem }[];
}

/** One field of a form that the server refused. `code` is stable (see `elicit-kit/form`), `message` is English. */
export interface ContentError {
  field: string;
  code: string;
  message: string;
}

/** problem+json body of every refusal (RFC 9457). */
export interface Problem {
  title: string;
  status: number;
  detail: string;
  /**
   * With 409: `content-differs`; `assigned` when the request waits for somebody else; or absent when `outcome` says how the
   * request had already ended.
   */
  code?: string | undefined;
  outcome?: ElicitationOutcome | undefined;
  /** With 400: the fields that do not fit the schema. The request stays open. */
  errors?: readonly ContentError[] | undefined;
}

/**
 * What a hosted page posts to the chat that opened it. After `elicitation-complete` the chat accepts the request, and a server
 * that verifies answers "pending" until it is true. After `elicitation-failed` the chat reads the status.
 */
export interface CompletionMessage {
  source: typeof COMPLETION_MESSAGE_SOURCE;
  version: 1;
  type: "elicitation-complete" | "elicitation-failed";
  elicitationId: string;
}

/** The chat's answer to a {@link BindMessage}, posted to the page's window at the trusted origin (contract, section 6). */
export interface TicketMessage {
  source: typeof COMPLETION_MESSAGE_SOURCE;
  version: 1;
  type: "elicitation-ticket";
  elicitationId: string;
  /** The one that the page has sent. */
  challenge: string;
  /** From `POST …/bind`. Proves to the page, for a minute, whose chat this is. */
  ticket: string;
}

/** What a hosted page posts to ask the chat to vouch for the user (contract, section 6). */
export interface BindMessage {
  source: typeof COMPLETION_MESSAGE_SOURCE;
  version: 1;
  type: "elicitation-bind";
  elicitationId: string;
  challenge: string;
}
