import type {
  ElicitationContent,
  ElicitationRequest,
  RequestedSchema,
  UrlElicitationRequest,
} from "../../../protocol/contract.ts";
import type { ToolRef } from "../ports.ts";

interface QuestionBase {
  /** Why the person is asked. Plain text. */
  message: string;
  /** What asks. After a no, a dismissal or an expiry the same tool gets that result again in this turn, unasked. */
  tool?: ToolRef | undefined;
  /** Links the card to its tool part. */
  toolCallId?: string | undefined;
  requester?: ElicitationRequest["requester"];
  context?: ElicitationRequest["context"];
  round?: ElicitationRequest["round"];
  /**
   * How long the person may take.
   * @default the runtime's `expiresInMs`
   */
  expiresInMs?: number | undefined;
  /**
   * The id of the request, for a turn that is run again after a crash and must find the answer it already has.
   * @default 128 bits from a CSPRNG
   */
  elicitationId?: string | undefined;
  /** Withdraws the request when it aborts. The end of the turn does so anyway. */
  signal?: AbortSignal | undefined;
  /** For relays: called once, when the person has agreed to open the page, in whichever process that was said. */
  onConsent?: (() => void) | undefined;
  /**
   * For relays: what the request is about, such as a remote call. When it resolves, the request ends as accepted; when
   * it rejects, it is withdrawn.
   */
  completed?: Promise<void> | undefined;
}

/** Asks the person to do something on a web page, such as connecting an account. */
export interface UrlQuestion extends QuestionBase {
  mode: "url";
  /** Absolute URL, or what makes one of the elicitation's id. */
  url: string | ((elicitationId: string) => string);
  /**
   * What the person's accept stands for. `completion`: only the server's own word ends the request
   * (`elicitations.complete`, a credential that is there). `consent`: the person agrees to open the page; completion
   * follows.
   * @default "completion"
   */
  acceptMeans?: UrlElicitationRequest["acceptMeans"];
  /** What is connected on the page. Its icon must be a `data:` URL of an image, of at most 8 KiB. */
  service?: UrlElicitationRequest["service"];
}

/** Asks the person for a few facts. */
export interface FormQuestion extends QuestionBase {
  mode: "form";
  requestedSchema: RequestedSchema;
  /** What is taken as the answer when nobody can be asked. */
  fallback?: ElicitationContent | undefined;
}

/**
 * What a tool asks: the part of a request that is the asker's to say. The runtime adds id, round and expiry.
 */
export type Question = UrlQuestion | FormQuestion;

/** How asking ended, for the one who asked. None of these is an error. */
export type ElicitationResult =
  /** `content` is empty for a URL request, and never carries what the person left untouched. */
  | { readonly outcome: "accepted"; readonly content: ElicitationContent }
  | { readonly outcome: "declined" }
  | { readonly outcome: "cancelled" }
  | { readonly outcome: "withdrawn" }
  | { readonly outcome: "expired"; readonly afterMs: number }
  | { readonly outcome: "failed"; readonly reason: string }
  /** This chat cannot show such a request, or nobody is signed in. Nothing was asked. */
  | { readonly outcome: "unsupported" };

/** Which modes can be asked for in this turn. */
export type SupportedModes = Readonly<Record<"url" | "form", boolean>>;
