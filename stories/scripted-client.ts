import {
  type Channel,
  ChannelError,
  type ChannelEvent,
  createElicitationClient,
  type ElicitationClient,
  type PopupEnvironment,
  type AnswerReceipt,
} from "elicit-kit/client";
import type {
  ElicitationAnswer,
  ElicitationRequest,
  FormElicitationRequest,
  StatusReport,
  UrlElicitationRequest,
} from "elicit-kit/protocol";

export const CONVERSATION = "conversation-1";

export interface ScriptOptions {
  /** Requests that are there from the start. */
  requests?: readonly ElicitationRequest[] | undefined;
  /** The server's reply to answers. Default: it settles them as given. */
  respond?: ((answers: readonly ElicitationAnswer[]) => Promise<readonly AnswerReceipt[]>) | undefined;
  /** The status of one request. Default: pending. */
  status?: ((id: string) => Partial<StatusReport> | undefined) | undefined;
  /** The requests that the server lists as open. */
  list?: readonly ElicitationRequest[] | undefined;
  /** The browser blocks windows. */
  popupsBlocked?: boolean | undefined;
  /** Origin of the operator's hosted page. Default: none. */
  trustedOrigin?: string | undefined;
  storage?: Storage | undefined;
}

/** A real client; a test or a story plays its server and its windows. */
export interface Script {
  client: ElicitationClient;
  /** Every answer that was sent. */
  sent: ElicitationAnswer[];
  /** The URLs that windows were sent to. */
  visited: string[];
  /** The conversations whose open requests were listed. */
  listed: string[];
  ask(request: ElicitationRequest): void;
  /** A live stream has opened or closed. */
  live(live: boolean): void;
  closeWindow(): void;
}

export function createScript(options: ScriptOptions = {}): Script {
  const { respond = settleAll, status = () => ({}), list = [], popupsBlocked = false } = options;
  const listeners = new Set<(event: ChannelEvent) => void>();
  const sent: ElicitationAnswer[] = [];
  const visited: string[] = [];
  const listed: string[] = [];
  let closed = false;
  const page = {
    get closed() {
      return closed;
    },
    opener: null,
    location: { replace: (url: string) => void visited.push(url) },
    focus: () => undefined,
    close: () => undefined,
  };
  const push = (event: ChannelEvent): void => {
    for (const listener of listeners) listener(event);
  };

  const channel: Channel = {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    respond(answers) {
      sent.push(...answers);
      return respond(answers);
    },
    async status(elicitationId) {
      const report = status(elicitationId);
      if (report === undefined) return undefined;
      const now = new Date();
      const expiresAt = new Date(now.getTime() + 600_000).toISOString();
      return { elicitationId, status: "pending", expiresAt, now: now.toISOString(), ...report };
    },
    async list(conversationId) {
      listed.push(conversationId);
      return list;
    },
    delivery: () => ({ accept: "send", decline: "send", cancel: "send" }),
  };
  const popupEnvironment: PopupEnvironment = {
    open: () => (popupsBlocked ? null : page),
    addEventListener: () => undefined,
    document: { visibilityState: "visible", addEventListener: () => undefined },
  };

  const client = createElicitationClient({
    channel,
    trustedOrigin: options.trustedOrigin,
    popupEnvironment,
    storage: options.storage ?? null,
  });
  const ask = (request: ElicitationRequest): void =>
    push({ type: "request", conversationId: CONVERSATION, request });
  for (const request of options.requests ?? []) ask(request);
  return {
    client,
    sent,
    visited,
    listed,
    ask,
    live: (live) => push({ type: "live", conversationId: CONVERSATION, live }),
    closeWindow: () => {
      closed = true;
    },
  };
}

/** A server that settles every answer as given. */
export async function settleAll(answers: readonly ElicitationAnswer[]): Promise<readonly AnswerReceipt[]> {
  return answers.map(({ elicitationId, action }) => ({
    elicitationId,
    kind: "settled",
    outcome: action === "accept" ? "accepted" : action === "decline" ? "declined" : "cancelled",
  }));
}

/** The network is down. */
export async function failOffline(): Promise<never> {
  throw new ChannelError("the server could not be reached", {
    retryable: true,
    cause: new TypeError("offline"),
  });
}

export function urlRequest(changes: Partial<UrlElicitationRequest> = {}): UrlElicitationRequest {
  return {
    type: "elicitation-request",
    elicitationId: "url-1",
    mode: "url",
    message: "To list your repositories, GitHub needs your permission.",
    url: "https://auth.example.com/auth/connect?elicitationId=url-1",
    requester: { name: "Acme Assistant" },
    context: { trigger: "credential_required" },
    ...changes,
  };
}

export function formRequest(changes: Partial<FormElicitationRequest> = {}): FormElicitationRequest {
  return {
    type: "elicitation-request",
    elicitationId: "form-1",
    mode: "form",
    message: "Where should the parcel go?",
    requester: { name: "Acme Assistant" },
    requestedSchema: {
      type: "object",
      properties: {
        city: { type: "string", title: "City", minLength: 2 },
        email: { type: "string", title: "Email", format: "email" },
      },
      required: ["city"],
    },
    ...changes,
  };
}

/** A form with one question. */
export function question(schema: object, required = false, context?: FormElicitationRequest["context"]) {
  return formRequest({
    context,
    requestedSchema: { type: "object", properties: { value: schema }, required: required ? ["value"] : [] },
  });
}
