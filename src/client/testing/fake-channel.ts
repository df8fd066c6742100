import {
  type Assignee,
  type AssigneeList,
  type ElicitationAnswer,
  type ElicitationRequest,
  outcomeOfAction,
  type StatusReport,
} from "../../contract/contract.ts";
import {
  type AnswerDelivery,
  type AnswerReceipt,
  type Channel,
  type ChannelCallOptions,
  ChannelError,
  type ChannelEvent,
  type Reminder,
} from "../channel.ts";

type Reply = readonly AnswerReceipt[] | Error | Promise<readonly AnswerReceipt[]>;

/** A channel whose server is the test: it records answers, and replies as the test sets. */
export class FakeChannel implements Channel {
  /** The answers of each call of `respond`. */
  readonly sent: (readonly ElicitationAnswer[])[] = [];
  /** The ids whose status was read. */
  readonly reads: string[] = [];
  /** The conversations whose open requests were listed. */
  readonly listed: string[] = [];
  /** The id and the challenge of each call of `bind`. */
  readonly bound: string[] = [];
  /** Returns the receipts of answers, or the error that `respond` throws. Default: each answer ends its request. */
  reply: (answers: readonly ElicitationAnswer[]) => Reply = settleAll;
  /** The status of a request if it is not pending. `undefined`: the server does not know it. */
  report: (id: string) => Partial<StatusReport> | Error | undefined = () => undefined;
  /** The server's proposals for a form. Default: none. */
  proposals: (elicitationId: string, text: string) => unknown = () => ({});
  /** The requests that the server lists as open, or the error that `list` throws. */
  open: readonly ElicitationRequest[] | Error = [];
  /** The answers of `forget`. */
  readonly forgotten: string[] = [];
  forgetFails: ChannelError | undefined;
  /** How each action reaches the server. */
  delivers: Record<"accept" | "decline" | "cancel", AnswerDelivery> = {
    accept: "send",
    decline: "send",
    cancel: "send",
  };
  bindFails: ChannelError | undefined;
  readonly #now: () => number;
  readonly #listeners = new Set<(event: ChannelEvent) => void>();

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Reports an event to the client. */
  emit(event: ChannelEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
  /** The id and the assignee of each call of `assign`. */
  readonly assigned: (readonly [id: string, to: Assignee | null])[] = [];
  /** The error that `assign`, `assignees` and `remind` throw. */
  assignFails: ChannelError | undefined;
  /** The users and groups to which a form can be passed on. */
  choices: AssigneeList["assignees"] = [];
  /** The ids of `remind`. */
  readonly reminded: string[] = [];
  /** The result of `remind`. */
  reminder: Reminder = { sent: true };
  async assign(elicitationId: string, to: Assignee | null): Promise<{ name: string } | undefined> {
    if (this.assignFails !== undefined) throw this.assignFails;
    this.assigned.push([elicitationId, to]);
    return this.choices.find((choice) => JSON.stringify(choice.to) === JSON.stringify(to));
  }
  async assignees(): Promise<AssigneeList["assignees"]> {
    if (this.assignFails !== undefined) throw this.assignFails;
    return this.choices;
  }
  async remind(elicitationId: string): Promise<Reminder> {
    if (this.assignFails !== undefined) throw this.assignFails;
    this.reminded.push(elicitationId);
    return this.reminder;
  }
  /** The ids of `extend`. */
  readonly extended: string[] = [];
  /** The error that `extend` throws. */
  extendFails: ChannelError | undefined;
  async extend(elicitationId: string): Promise<void> {
    if (this.extendFails !== undefined) throw this.extendFails;
    this.extended.push(elicitationId);
  }
  /** What the server says about the accounts of requests. `undefined`: it offers none. */
  account: Readonly<Record<string, unknown>> | undefined;
  /** The link to the answer page. `undefined`: the server has none. */
  link: string | undefined;
  /** Whether tokens are revoked when an account is removed, or the error of that call. */
  revokes: boolean | ChannelError = true;
  async read(path: string, _options: ChannelCallOptions): Promise<Response> {
    if (this.link !== undefined && path.endsWith("/link")) return Response.json({ link: this.link });
    if (path.endsWith("/account/remove")) {
      if (this.revokes instanceof ChannelError) throw this.revokes;
      this.account = { connected: false };
      return Response.json({ success: true, revoked: this.revokes });
    }
    if (this.account === undefined || !path.includes("/account?")) return new Response(null, { status: 404 });
    return Response.json(this.account);
  }
  async forget(remembered: string): Promise<void> {
    if (this.forgetFails !== undefined) throw this.forgetFails;
    this.forgotten.push(remembered);
  }
  subscribe(listener: (event: ChannelEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
  async respond(answers: readonly ElicitationAnswer[], { signal }: ChannelCallOptions) {
    this.sent.push(answers);
    const reply = this.reply(answers);
    if (reply instanceof Error) throw reply;
    const receipts = await reply;
    signal.throwIfAborted();
    return receipts;
  }
  async status(elicitationId: string): Promise<StatusReport | undefined> {
    this.reads.push(elicitationId);
    const report = this.report(elicitationId);
    if (report instanceof Error) throw report;
    if (report === undefined) return undefined;
    const now = this.#now();
    return {
      elicitationId,
      status: "pending",
      expiresAt: new Date(now + 600_000).toISOString(),
      now: new Date(now).toISOString(),
      ...report,
    };
  }
  async bind(id: string, challenge: string): Promise<string> {
    this.bound.push(`${id} ${challenge}`);
    if (this.bindFails) throw this.bindFails;
    return `ticket for ${challenge}`;
  }
  async propose(elicitationId: string, text: string): Promise<unknown> {
    return this.proposals(elicitationId, text);
  }
  async list(conversationId: string): Promise<readonly ElicitationRequest[]> {
    this.listed.push(conversationId);
    if (this.open instanceof Error) throw this.open;
    return this.open;
  }
  delivery(): Record<"accept" | "decline" | "cancel", AnswerDelivery> {
    return this.delivers;
  }
}

/** The receipts of a server that ends every request with its answer. */
export function settleAll(answers: readonly ElicitationAnswer[]): readonly AnswerReceipt[] {
  return answers.map(({ elicitationId, action }) => ({
    elicitationId,
    kind: "settled",
    outcome: outcomeOfAction[action],
  }));
}

/** The error of a channel whose network is down. */
export function offline(): ChannelError {
  return new ChannelError("the server could not be reached", {
    retryable: true,
    cause: new TypeError("offline"),
  });
}
