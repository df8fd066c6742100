import type {
  AssigneeList,
  ElicitationAnswer,
  ElicitationRequest,
  StatusReport,
} from "../contract/contract.ts";
import { parseStatusReport } from "../contract/guard.ts";
import { HTML, receiptOfStatus, receiptsOf } from "./answer-receipts.ts";
import { type Channel, type ChannelCallOptions, ChannelError, type ChannelEvent } from "./channel.ts";
import type { Clock } from "./clock.ts";
import { readRequests, untilEnded } from "./continuation.ts";
import { isTemporary, notReadable, retryAfterOf, fieldOf, listOf } from "./http-replies.ts";
import { readRequest } from "./read-request.ts";
import { parseJson } from "../contract/parse-json.ts";

type How = ChannelCallOptions & { accept?: string | undefined };

/** What the calls share with their channel. */
export interface HttpCallsOptions {
  /** See the option of the channel. */
  onContinuation: ((conversationId: string, response: Response) => Promise<void> | undefined) | undefined;
  api: string;
  clock: Clock;
  call(path: string, how: How, body?: unknown): Promise<Response>;
  /** Sends at least one answer. */
  send(answers: readonly ElicitationAnswer[], how: How): Promise<Response>;
  push(event: ChannelEvent): void;
  subscribe(listener: (event: ChannelEvent) => void): () => void;
  /** The conversations whose stream is being read. */
  live: ReadonlySet<string>;
  /** Whether the server has the list and the status, as far as its replies have told. */
  routes: { isOffered: boolean | undefined };
}

/** The calls of the HTTP channel that a page without requests does not make. */
export interface HttpCalls extends Required<
  Pick<
    Channel,
    "respond" | "status" | "bind" | "propose" | "forget" | "assign" | "assignees" | "remind" | "extend"
  >
> {
  /** Returns the well-formed requests of a list. */
  readListed(listed: readonly unknown[]): Promise<readonly ElicitationRequest[]>;
}

/** How long an answer waits for the headers of its reply. On a dead connection, `fetch` would wait for minutes. */
const ANSWER_MS = 30_000;

export function createHttpCalls(options: HttpCallsOptions): HttpCalls {
  const { api, clock, call, send, push, subscribe, live, routes, onContinuation } = options;

  /** Posts an idempotent command. Throws unless the server has done it. */
  async function post(path: string, body: unknown, o: ChannelCallOptions): Promise<Response> {
    const response = await call(path, o, body);
    if (response.ok) return response;
    throw new ChannelError(`${api}${path} answered ${response.status}`, { retryable: false });
  }

  async function status(elicitationId: string, o: ChannelCallOptions): Promise<StatusReport | undefined> {
    const path = pathOf(elicitationId);
    const response = await call(path, o);
    // A server without a list may have no status route either, and its framework replies for that.
    if (response.status === 404 && !isTemporary(response) && routes.isOffered !== false) return undefined;
    const report = parseStatusReport(await readJson(response));
    if (!response.ok || !report.ok) throw notReadable(api + path, response, routes, HINT);
    routes.isOffered = true;
    return report.value;
  }

  return {
    async respond(answers, o) {
      const [first] = answers;
      if (first === undefined) return [];
      o.signal.throwIfAborted();
      const { conversationId } = first;
      const isContinued = onContinuation !== undefined && !live.has(conversationId);
      const accept = isContinued ? "text/event-stream, application/json" : undefined;
      const late = new AbortController();
      const error = new ChannelError(`${api} did not reply`, { retryable: true, cause: "time" });
      const stopTimer = clock.after(ANSWER_MS, () => late.abort(error));
      // The cards work in browsers that do not have `AbortSignal.any`.
      o.signal.addEventListener("abort", () => late.abort(o.signal.reason));
      const how = { signal: late.signal, accept };
      const response = await send(answers, how).finally(stopTimer);
      const ids = answers.map((answer) => answer.elicitationId);
      if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
        const reply = await readReply(response);
        if (isTemporary(response)) throw notReadable(api, response, routes, HINT);
        return receiptsOf(answers, response.status, reply);
      }
      const events = { push, subscribe, api };
      await untilEnded(
        ids,
        events,
        async () =>
          onContinuation?.(conversationId, response) ?? readRequests(conversationId, response.body, events),
      );
      return Promise.all(ids.map(async (id) => receiptOfStatus(id, await status(id, o))));
    },
    status,
    async readListed(listed) {
      return listed.flatMap((entry) => {
        const parsed = readRequest(entry, api);
        return parsed.ok ? [parsed.value] : [];
      });
    },
    async bind(elicitationId, challenge, o) {
      const path = `${pathOf(elicitationId)}/bind`;
      const response = await call(path, o, { challenge });
      const ticket = fieldOf(await readJson(response), "ticket");
      if (response.ok && typeof ticket === "string") return ticket;
      throw new ChannelError(`${api}${path} answered ${response.status}`, { retryable: false });
    },
    async propose(elicitationId, text, o) {
      const path = `${pathOf(elicitationId)}/proposal`;
      return fieldOf(await readJson(await post(path, { text }, o)), "content");
    },
    async forget(remembered, o) {
      await post(`/remembered/${encodeURIComponent(remembered)}/forget`, {}, o);
    },
    async extend(elicitationId, o) {
      await post(`${pathOf(elicitationId)}/extend`, {}, o);
    },
    async assign(elicitationId, to, o) {
      const reply = await readJson(await post(`${pathOf(elicitationId)}/assignee`, { to }, o));
      const assignee = fieldOf(reply, "assignee");
      const name = fieldOf(assignee, "name");
      if (typeof name !== "string") return undefined;
      const may = (member: string) => fieldOf(assignee, member) === true;
      return { name, takeBack: may("takeBack"), remind: may("remind") };
    },
    async assignees(elicitationId, o) {
      const path = `${pathOf(elicitationId)}/assignees`;
      const response = await call(path, o);
      if (!response.ok) throw notReadable(api + path, response, routes);
      return listOf(await readJson(response), "assignees").flatMap(readChoice);
    },
    async remind(elicitationId, o) {
      const path = `${pathOf(elicitationId)}/remind`;
      const response = await call(path, o, {});
      if (response.ok) return { sent: true };
      if (fieldOf(await readJson(response), "code") !== "too-soon")
        throw notReadable(api + path, response, routes);
      return { sent: false, retryAfterMs: retryAfterOf(response) };
    },
  };
}

const HINT = ". Is `api` the base of the contract's routes?";

const pathOf = (elicitationId: string): string => `/elicitations/${encodeURIComponent(elicitationId)}`;

function readChoice(entry: unknown): AssigneeList["assignees"] {
  const [to, name] = [fieldOf(entry, "to"), fieldOf(entry, "name")];
  const [user, group] = [fieldOf(to, "user"), fieldOf(to, "group")];
  if (typeof name !== "string") return [];
  if (typeof user === "string") return [{ to: { user }, name }];
  return typeof group === "string" ? [{ to: { group }, name }] : [];
}

/** The body of a reply to an answer. A web page instead of JSON is not a reply. */
async function readReply(response: Response): Promise<unknown> {
  const text = await response.text().catch(() => "");
  const isHtml = response.headers.get("content-type")?.startsWith("text/html") === true;
  if (isHtml || text.trimStart().startsWith("<")) return HTML;
  return parseJson(text);
}

function readJson(response: Response): Promise<unknown> {
  return response.json().catch(() => undefined);
}
