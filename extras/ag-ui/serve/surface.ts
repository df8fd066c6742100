import type { ElicitationRequest } from "../../../src/contract/contract.ts";
import type { Runtime, User } from "../../../src/runtime/index.ts";
import {
  type Refusal,
  type SupportedModes,
  type SurfaceTurn,
  present,
  refuseSecrets,
  supportsOf,
} from "../../../src/runtime/internal.ts";
import { type Clock, systemClock } from "../../../src/base/clock.ts";
import { identityOf } from "../../../src/base/identity.ts";
import { eventStream, eventsOf } from "../../../src/base/event-stream.ts";
import { newId } from "../../../src/base/ids.ts";
import { createEndpoint } from "../../../src/base/endpoint.ts";
import { refuseCall, retryHeader } from "../../../src/base/reply.ts";
import { safeLog } from "../../../src/base/foreign-error.ts";
import { takeAnswers } from "./answers.ts";
import { followTurn } from "./follow-turn.ts";
import { type RunInput, readRunInput, uiMessagesOf } from "./run-input.ts";
import type { AgUiEvent } from "./turn-events.ts";

/** The options of {@link createAgUiSurface}. */
export interface AgUiSurfaceOptions {
  runtime: Pick<Runtime, "surface" | "elicitations">;
  /** Returns the user of an HTTP request, from its session or bearer token. With `undefined` the client gets 401. */
  authenticate: (request: Request) => User | undefined | Promise<User | undefined>;
  /**
   * Origins of web pages that may call the endpoint, or a function that says whether one may. Pages of the endpoint's own
   * origin always may. HTTP requests of other pages get 403.
   * @default []
   */
  allowedOrigins?: readonly string[] | ((origin: string) => boolean) | undefined;
  /**
   * The modes that the clients of this endpoint can show. A URL request needs a client that knows our interrupt reason
   * for it, such as `elicit-kit/ag-ui`. Other modes become a confirmation with a link, if the runtime has `hostedPage`.
   * @default both
   */
  supports?: { readonly form?: boolean | undefined; readonly url?: boolean | undefined } | undefined;
  /**
   * How long an ended turn can still be read by a client that lost the end of its stream, in milliseconds.
   * @default 900_000 (15 minutes)
   */
  keepMs?: number | undefined;
  /**
   * Largest body of a run, in bytes.
   * @default 1_048_576 (1 MiB)
   */
  maxBytes?: number | undefined;
  /** Called with internal errors, for the log. Clients get no details. */
  onError: (error: unknown) => void;
  /**
   * The kind of the surface, which `runTurn` gets as `turn.surface`. Use a different kind for each AG-UI endpoint of a
   * runtime. @default "ag-ui"
   */
  kind?: string | undefined;
  /** @default systemClock */
  clock?: Clock | undefined;
}

/** The AG-UI surface of an agent. */
export interface AgUiSurface {
  /** Serves runs: `POST` with a `RunAgentInput` as JSON, answered by events. Mount it at the URL of the agent. */
  fetch: (request: Request) => Promise<Response>;
}

const DISCONNECTED = "The client has disconnected.";
const NOTHING_OPEN = "That question has ended.";
const BUSY = "The agent still answers another message of this thread. Send this one again after that.";

/**
 * Lets AG-UI clients reach the agent of a runtime. A run ends when the agent asks: `RUN_FINISHED` has the questions as
 * interrupts. A run with `resume` answers them and continues with the same turn. A run without `resume` while interrupts
 * are open starts no turn: it reports them again.
 *
 * @example
 * const agUi = createAgUiSurface({ runtime, authenticate, onError: console.error });
 * app.all("/agent", (c) => agUi.fetch(c.req.raw));
 */
export function createAgUiSurface(options: AgUiSurfaceOptions): AgUiSurface {
  const { runtime, keepMs = 900_000, maxBytes = 1024 * 1024 } = options;
  const { clock = systemClock } = options;
  const { form = true, url = true } = options.supports ?? {};
  const onError = safeLog(options.onError);
  const surface = runtime.surface(options.kind ?? "ag-ui", { refuseForm: refuseSecrets });
  const { linkFor } = runtime.elicitations;
  const shows: SupportedModes = { form, url };
  const hasAnswerPage = linkFor(newId()) !== undefined;

  /**
   * Instead of a form, every client gets a confirmation with a link, because not all clients know our reason for a page.
   */
  const presented = (request: ElicitationRequest) =>
    present(request, {
      modes: { form, url: url && request.mode === "url" },
      link: linkFor(request.elicitationId),
    });

  /**
   * Finds the turn that a run continues, and how far its client has read it. `undefined` if there is no such turn. Returns
   * a refusal for a message that the turn would not read.
   */
  async function findTurn(input: RunInput, user: User): Promise<FoundTurn | Response | undefined> {
    const turn = await surface.find(user, { conversationId: input.threadId });
    if (turn === undefined) return undefined;
    if (input.resume !== undefined) {
      const taken = await takeAnswers(turn, input.resume, presented);
      return taken.kind === "limited" ? tryLater(429, taken.retryAfter) : { turn, after: taken.after };
    }
    if (!input.isRecovery) {
      if (turn.ended) return undefined;
      const isOther = turn.ref["messageId"] !== messageIdOf(input);
      if (isOther && (await turn.open()).length === 0) return refuseCall(409, BUSY);
    }
    return { turn, after: await endOf(turn) };
  }

  async function startTurn(input: RunInput, user: User): Promise<SurfaceTurn | Refusal> {
    const { threadId, runId, messages } = input;
    return surface.start({
      user,
      conversationId: threadId,
      messages: uiMessagesOf(messages),
      supports: supportsOf(shows, { hasAnswerPage }),
      ifOpen: "refuse",
      startId: runId,
      // The client has the end of an interrupt from the event that it got.
      maxExpiresInMs: 0,
      ref: { threadId, messageId: messageIdOf(input) },
      keepMs,
    });
  }

  const fetch = createEndpoint(
    {
      authenticate: identityOf(options.authenticate),
      open: ({ method }) => (method === "POST" ? undefined : refuseCall(405, "Send a run by POST.")),
      allowedOrigins: options.allowedOrigins ?? [],
      methods: "POST",
      sent: "authorization, content-type",
      read: "retry-after, www-authenticate",
      body: { maxBytes },
      onError,
    },
    serve,
  );

  async function serve(_: Request, user: User, body: unknown): Promise<Response> {
    const read = readRunInput(body);
    if (!read.ok) return refuseCall(400, read.reason);
    const input = read.value;
    const found = await findTurn(input, user);
    if (found instanceof Response) return found;
    if (found !== undefined) return reply(input, found.turn, found.after);
    if (input.resume !== undefined || input.isRecovery) return reply(input, undefined, undefined);
    const turn = await startTurn(input, user);
    if (!("refused" in turn)) return reply(input, turn, undefined);
    if (turn.refused === "busy") return refuseCall(409, BUSY);
    return tryLater(turn.refused === "closed" ? 503 : 429, turn.retryAfter);
  }

  /** How many runs write each turn: a user has other tabs, and a client that has lost its connection comes back. */
  const running = new Map<string, number>();

  /** Counts a run. Returns a function for its end, which returns whether it was the only one. Later calls do nothing. */
  function enter({ id }: SurfaceTurn): () => boolean {
    let isRunning = true;
    running.set(id, (running.get(id) ?? 0) + 1);
    return () => {
      if (!isRunning) return false;
      isRunning = false;
      const others = (running.get(id) ?? 1) - 1;
      if (others === 0) running.delete(id);
      else running.set(id, others);
      return others === 0;
    };
  }

  function reply(input: RunInput, turn: SurfaceTurn | undefined, after: number | undefined): Response {
    const { threadId, runId } = input;
    const left = new AbortController();
    const leave = turn && enter(turn);
    const events = eventsOf<AgUiEvent>(async (write, signal) => {
      const last = (event: AgUiEvent) => {
        // A connection that has all of its events can close without stopping the turn.
        leave?.();
        return write(event);
      };
      await write({ type: "RUN_STARTED", threadId, runId });
      try {
        await last(await run(input, turn, after, { write, signal }));
      } catch (error) {
        onError(error);
        await last({ type: "RUN_ERROR", message: "The assistant could not finish its answer." });
      }
    }, left.signal);
    return eventStream(events, {
      clock,
      onLeave() {
        left.abort();
        // In AG-UI a client has no other way to stop its turn.
        if (leave?.() === true) turn?.stop(DISCONNECTED).catch(onError);
      },
    });
  }

  /** Writes the events of a run, except the last one, which it returns. */
  async function run(
    input: RunInput,
    turn: SurfaceTurn | undefined,
    after: number | undefined,
    { write, signal }: { write: (event: AgUiEvent) => Promise<void>; signal: AbortSignal },
  ): Promise<AgUiEvent> {
    const { threadId, runId, resume, isRecovery } = input;
    const finish = (outcome: object) => ({ type: "RUN_FINISHED", threadId, runId, outcome });
    const say = async (messageId: string, delta: string) => {
      await write({ type: "TEXT_MESSAGE_START", messageId, role: "assistant" });
      await write({ type: "TEXT_MESSAGE_CONTENT", messageId, delta });
      await write({ type: "TEXT_MESSAGE_END", messageId });
    };
    // No list of pending tool calls: 0.0.59 refuses it, and every call already has its result.
    const success = { type: "success" };
    if (turn === undefined) {
      if (!isRecovery) await say(`${runId}.0`, NOTHING_OPEN);
      return finish(success);
    }
    const end = await followTurn({ turn, input, after, presented, signal, write, clock });
    if (end.kind === "aborted") return { type: "RUN_ERROR", message: DISCONNECTED };
    if (end.kind === "interrupt") return finish({ type: "interrupt", interrupts: end.interrupts });
    if (end.kind === "failed") {
      // After an error, clients would keep the interrupts of the previous run and refuse every further run of the thread.
      if (resume === undefined && !isRecovery) return { type: "RUN_ERROR", message: end.message };
      await say(`${turn.id}.error`, end.message);
    }
    return finish(success);
  }

  return { fetch };
}

/** The turn of a run. `after`: the position in its log up to which the client has read. */
interface FoundTurn {
  readonly turn: SurfaceTurn;
  readonly after: number | undefined;
}

/** The id of the message that a run without `resume` sends. */
function messageIdOf({ messages }: RunInput): string | undefined {
  return messages.findLast(({ role }) => role === "user")?.id;
}

/** Position of the last entry of a turn's log. */
async function endOf(turn: SurfaceTurn): Promise<number | undefined> {
  let last: number | undefined;
  const { signal } = new AbortController();
  for await (const { seq } of turn.read({ live: false, signal })) last = seq;
  return last;
}

function tryLater(status: number, retryAfter: number): Response {
  return refuseCall(status, "Try again later.", retryHeader(retryAfter));
}
