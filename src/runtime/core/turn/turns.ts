import { createTurnAsk } from "./turn-ask.ts";
import type { Ask } from "../elicitation/asking.ts";
import { atMost } from "../shared/clock.ts";
import { withDelegation } from "./delegation.ts";
import { newId } from "../shared/ids.ts";
import { conversationKey } from "../elicitation/conversation-key.ts";
import type { RecordWriter } from "../elicitation/record-writer.ts";
import type { Clock, StreamChunk, TurnRunner, TurnStream, TurnStreamEntry, User } from "../ports.ts";
import { type OpenTurn, type RunningTurn, STOP_MS, createRunningTurn } from "./running-turn.ts";
import { TURN_FAILED } from "./stream-helper.ts";
import { type TurnEvents, ownStream } from "./stream-owner.ts";
import { createTurnOutput } from "./turn-output.ts";
import { pumpAgent } from "./pump-agent.ts";
import type { ElicitationResult, Question, SupportedModes } from "../elicitation/question.ts";
import type { RunTurn, Turn } from "./turn.ts";

type KeepTurn = (
  turn: Turn,
  chunks: readonly StreamChunk[],
  entries: readonly TurnStreamEntry[],
) => void | Promise<void>;

/** One for all turns: to make one takes as long as to write a chunk. */
const TURN_ENDED = new DOMException("The turn has ended.", "AbortError");
const NEW_MESSAGE = "A new message was sent.";

/** All that a turn is run from. Plain data: a runner may keep it, and run the turn again in another process. */
export interface TurnInput {
  readonly conversationId: string;
  readonly user: User | undefined;
  readonly messages: readonly unknown[];
  readonly supports: SupportedModes;
  readonly chatOrigin: string | undefined;
  readonly returnUrl: string | undefined;
}

export interface Turns {
  /** Starts a turn, after ending the one that is open in this person's conversation. */
  start(input: TurnInput): Promise<OpenTurn>;
  /** The turn that this process runs. */
  find(conversationId: string, userId: string): OpenTurn | undefined;
  /** Ends them all, with `reason` as the last word of each. No other may be started from then on. */
  stopAll(reason: string): Promise<void>;
  isClosed(): boolean;
}

/**
 * The turns that run in this process. One is open per person and conversation; anonymous turns are reached by nobody.
 */
export function createTurns(options: {
  stream: TurnStream;
  runner: TurnRunner;
  clock: Clock;
  runTurn: RunTurn;
  ask: Ask;
  withdraw: RecordWriter["withdraw"];
  events: TurnEvents;
  onTurnEnd: KeepTurn | undefined;
  onError: (error: unknown) => void;
}): Turns {
  const { stream, runner, clock, onTurnEnd, onError } = options;
  const running = new Map<string, RunningTurn>();
  const byConversation = new Map<string, RunningTurn>();
  const run = runner.register("elicit-kit turn", body);
  let isClosed = false;

  /** What is known of a turn here: from its start, or from when a runner runs it again. */
  function track(id: string, { conversationId, user }: TurnInput): RunningTurn {
    const key = user === undefined ? undefined : conversationKey(conversationId, user.id);
    const handle = createRunningTurn(id, { key, clock });
    running.set(id, handle);
    return handle;
  }

  /** Makes it the one that is open in its conversation. Returns the one that was. */
  function takeOver(handle: RunningTurn): RunningTurn | undefined {
    if (handle.key === undefined) return undefined;
    const before = byConversation.get(handle.key);
    byConversation.set(handle.key, handle);
    return before;
  }

  /** A turn that a runner runs again. It ends at once when the person has gone on without it. */
  function resume(id: string, input: TurnInput): RunningTurn {
    const handle = track(id, input);
    if (handle.key === undefined || !byConversation.has(handle.key)) takeOver(handle);
    else void handle.stop(NEW_MESSAGE);
    return handle;
  }

  async function start(input: TurnInput): Promise<OpenTurn> {
    const { conversationId, user } = input;
    const id = newId();
    const handle = track(id, input);
    try {
      await stream.open({ turnId: id, conversationId, userId: user?.id });
    } catch (error) {
      await finish(handle);
      throw error;
    }
    void launch(handle, input, takeOver(handle));
    return handle;
  }

  async function launch(handle: RunningTurn, input: TurnInput, before: RunningTurn | undefined) {
    try {
      await before?.stop(NEW_MESSAGE);
      await run(handle.id, input);
    } catch (error) {
      // The runner could not run it: the turn itself never rejects.
      onError(error);
      await stream.append(handle.id, TURN_FAILED).catch(onError);
      await finish(handle);
    }
  }

  async function finish(handle: RunningTurn): Promise<void> {
    const { id, key } = handle;
    try {
      await stream.close(id);
    } catch (error) {
      onError(error);
    } finally {
      running.delete(id);
      if (key !== undefined && byConversation.get(key) === handle) byConversation.delete(key);
      handle.end();
    }
  }

  /** One turn, from its id and its input alone. Never rejects. */
  async function body(id: string, input: TurnInput): Promise<void> {
    const known = running.get(id);
    const handle = known ?? resume(id, input);
    const { abort } = handle;
    const { signal } = abort;
    const { conversationId, user, messages, chatOrigin, returnUrl } = input;
    const output = createTurnOutput();
    const write = (chunk: StreamChunk) => void output.write(chunk);
    const asking = new Set<Promise<unknown>>();

    async function askPerson(person: User, question: Question): Promise<ElicitationResult> {
      const elicitationId =
        question.elicitationId ?? (await runner.step("elicitation id", async () => newId()));
      if (signal.aborted) return { outcome: "withdrawn" };
      const scope = { turnId: id, conversationId, user: person, chatOrigin, returnUrl, signal };
      return options.ask(scope, { ...question, elicitationId });
    }
    const supports = user === undefined ? { url: false, form: false } : input.supports;
    const ask = createTurnAsk({
      supports,
      onError,
      notify: write,
      ask: (question) => {
        if (user === undefined || signal.aborted) return Promise.resolve({ outcome: "withdrawn" });
        const asked = askPerson(user, question);
        asking.add(asked);
        return asked.finally(() => asking.delete(asked));
      },
    });
    const turn = withDelegation({
      id,
      streamRequestId: id,
      conversationId,
      user,
      messages,
      supports,
      signal,
      ask,
      runner,
    });

    const own = ownStream(id, output, options.events);
    const pumped = runner
      .pump(id, output.chunks, (chunk) => stream.append(id, chunk))
      .catch(async (error: unknown) => {
        onError(error);
        abort.abort(error);
        output.end();
        // What is cut off must not end like what is whole.
        await stream.append(id, TURN_FAILED).catch(onError);
      });
    // Nobody asks again what it had asked, so nothing else would withdraw that.
    if (known === undefined && signal.aborted && user !== undefined) {
      const turnOf = { turnId: id, conversationId, userId: user.id };
      asking.add(options.withdraw(turnOf, NEW_MESSAGE).catch(onError));
    }
    try {
      await pumpAgent(async () => options.runTurn(turn), signal, own.say);
    } catch (error) {
      if (!signal.aborted) {
        onError(error);
        write(TURN_FAILED);
      }
    }
    const stopped = signal.aborted;
    // Whoever still asks is withdrawn by the signal, and its end belongs into the log.
    abort.abort(TURN_ENDED);
    await Promise.allSettled(asking);
    own.release();
    if (stopped) write(handle.last);
    output.end();
    // A log that never takes its last chunks must not keep the turn open.
    await atMost(clock, STOP_MS, pumped);
    if (onTurnEnd !== undefined) await runner.step("turn end", () => keep(turn, onTurnEnd)).catch(onError);
    await finish(handle);
  }

  async function keep(turn: Turn, tell: KeepTurn): Promise<void> {
    const entries: TurnStreamEntry[] = [];
    const { signal } = new AbortController();
    for await (const entry of stream.read(turn.id, { live: false, signal })) entries.push(entry);
    await tell(
      turn,
      entries.map(({ chunk }) => chunk),
      entries,
    );
  }

  return {
    start,
    find: (conversationId, userId) => byConversation.get(conversationKey(conversationId, userId)),
    isClosed: () => isClosed,
    async stopAll(reason) {
      isClosed = true;
      // An error, since the person has not stopped it: they are told, and may try again.
      const last = { type: "error", errorText: reason };
      await Promise.all(
        [...running.values()].map((turn) => {
          void turn.stop(reason, last);
          return turn.ended;
        }),
      );
    },
  };
}
