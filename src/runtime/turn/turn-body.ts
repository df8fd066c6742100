import { type AskingOptions, TurnQuestions } from "../ask/turn-questions.ts";
import type { RecordWriter } from "../request/record-writer.ts";
import type {
  ElicitationRecords,
  StreamChunk,
  TurnLease,
  TurnLog,
  TurnRecorder,
  TurnStream,
  TurnStreamEntry,
} from "../ports/index.ts";
import type { Clock } from "../../base/clock.ts";
import { atMost, untilAborted } from "../../base/deadlines.ts";
import { StoreAway, isStoreAway } from "../../base/foreign-error.ts";
import { CODE_CHANGED, isTakenOver } from "../ports/turn-runner.ts";
import { createChunkQueue } from "../../base/chunk-queue.ts";
import { type RunTurn, type Turn, withDelegation } from "./turn.ts";
import { appendEnd, readMissingEnds, readPastAsks } from "./past-requests.ts";
import { pumpChunks } from "../../base/pump-chunks.ts";
import { type RunningTurn, STOP_MS } from "./running-turn.ts";
import { isEnd } from "./turn-log.ts";
import { TURN_FAILED } from "./stream-helper.ts";
import { type ToolApprovalEvent, type TurnEvents, createTurnWriter } from "./turn-writer.ts";
import { Asker } from "../ask/asker.ts";
import { BackgroundWork } from "./background.ts";
import type { SurfaceTurns, TurnInput } from "./surface.ts";

/** Receives an ended turn, to store it as history. */
export type KeepTurn = (
  turn: Turn,
  chunks: readonly StreamChunk[],
  entries: readonly TurnStreamEntry[],
) => void | Promise<void>;

/** Shared by all turns, because creating a DOMException costs as much as writing a chunk. */
const TURN_ENDED = new DOMException("The turn has ended.", "AbortError");

/**
 * Runs the agent of one turn, writes its chunks and requests to the log, and calls `onTurnEnd`. The caller closes the
 * log. Rejects if a store fails, with the log left open.
 */
export type RunTurnBody = (
  handle: RunningTurn,
  input: TurnInput,
  run: { readonly lease: TurnLease; readonly isFirstRun: boolean },
) => Promise<void>;

export function createTurnBody(options: {
  stream: Pick<TurnStream, "append" | "discard" | "read">;
  records: Pick<ElicitationRecords, "get">;
  recorder: TurnRecorder;
  clock: Clock;
  runTurn: RunTurn;
  asking: AskingOptions;
  withdraw: RecordWriter["withdraw"];
  events: TurnEvents;
  publishApproval: (turnId: string, event: ToolApprovalEvent) => void;
  /** Why clients of a kind of surface must not show a form. */
  refuseForm: SurfaceTurns["refuseForm"];
  onTurnEnd: KeepTurn | undefined;
  onError: (error: unknown) => void;
}): RunTurnBody {
  const { stream, recorder, clock, onTurnEnd, onError } = options;

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

  return async function runBody(handle, input, { lease, isFirstRun }) {
    const { id, signal } = handle;
    const { surface, conversationId, user, messages } = input;
    const output = createChunkQueue(isEnd);
    const write = (chunk: StreamChunk) => void output.write(chunk);
    const log: TurnLog = {
      append: (chunk) => stream.append(id, chunk, lease),
      discard: (from) => stream.discard(id, from, lease),
    };

    const onChanged = (error: unknown) => {
      onError(error);
      const last = { type: "error", errorText: CODE_CHANGED };
      void handle.stop(CODE_CHANGED, last);
    };
    const { chatOrigin, returnUrl, expiresInMs, maxExpiresInMs } = input;
    const scope = user && { turnId: id, surface, conversationId, user, chatOrigin, returnUrl, signal, lease };
    const questions = new TurnQuestions(
      { scope, recorder, expiresInMs, maxExpiresInMs, onChanged },
      options.asking,
    );
    const supports = user === undefined ? { url: false, form: false } : input.supports;
    const past = isFirstRun ? undefined : await readPastAsks(id, options);
    const asker = new Asker({
      supports,
      onError,
      notify: write,
      linkTo: (question) => questions.linkTo(question),
      open: (asked) => questions.open(asked),
      refuseForm: (form) => options.refuseForm(surface, form),
      past,
    });
    const background = new BackgroundWork({ id, signal, recorder, write, onError });
    const turn = withDelegation(
      {
        id,
        streamRequestId: id,
        surface,
        conversationId,
        user,
        messages,
        supports,
        languages: input.languages ?? [],
        body: input.body ?? {},
        signal,
        ask: (question) => asker.ask(question),
        askRound: (round) => asker.askRound(round),
        publishApproval: (event) => options.publishApproval(id, event),
        runner: recorder,
        background,
      },
      { recorder, onError },
    );

    const writer = createTurnWriter(id, output, options.events, onError);
    for (const request of past?.unshown ?? []) writer.show(request);
    const pumped = recorder.pump(id, output.chunks, log).catch(async (error: unknown) => {
      // The process that has taken the lease writes the end of the log.
      if (lease.lost.aborted) return;
      onError(error);
      handle.abort(error);
      output.end();
      // A truncated turn must be distinguishable from a complete one.
      await appendEnd(id, TURN_FAILED, lease, stream).catch(onError);
    });
    let hasFailed = false;
    try {
      await pumpChunks(
        async () => options.runTurn(turn),
        signal,
        (chunk) => writer.write(background.mark(chunk)),
      );
      // Clients use `finish` as the sign that the message is complete. An agent may have left it out.
      if (!signal.aborted) write({ type: "finish" });
    } catch (error) {
      if (!signal.aborted && isStoreAway(error)) return leave(error);
      if (!signal.aborted) {
        onError(error);
        hasFailed = true;
      }
    }
    if (isTakenOver(signal)) return release();
    // Do not wait for the steps and questions of a turn that another process has taken over: they never settle.
    await untilAborted(conclude(), lease.lost).catch(leave);
    release();

    function release(): void {
      writer.release();
      output.end();
    }

    function leave(error: unknown): never {
      release();
      throw error;
    }

    async function conclude(): Promise<void> {
      const stopped = signal.aborted;
      let withdrawn: Promise<void> | undefined;
      if (!isFirstRun && user !== undefined) {
        // The agent may not have reached the questions of its first run, so the signal does not withdraw them.
        const ended: unknown = stopped ? signal.reason : TURN_ENDED;
        const reason = ended instanceof Error ? ended.message : "";
        const turnOf = { turnId: id, conversationId, userId: user.id };
        withdrawn = options.withdraw(turnOf, reason);
      }
      // The signal withdraws requests that are still open. The log must contain their outcomes.
      handle.abort(TURN_ENDED);
      await Promise.all([questions.settled(), withdrawn]);
      // In the first run, the outcome of a request is missing only if its record could not be read.
      if (!isFirstRun || [...writer.shown.values()].includes(false)) {
        const missing = await readMissingEnds(id, options, writer.shown).catch((error: unknown) => {
          if (!isFirstRun || isStoreAway(error)) throw error;
          onError(error);
        });
        for (const request of missing ?? []) writer.show(request);
      }
      // Before the last chunk, because clients may read no further.
      await background.end();
      writer.release();
      if (stopped) write(handle.last);
      else if (hasFailed) write(TURN_FAILED);
      output.end();
      // A log that does not accept its last chunks must not keep the turn open. The next run writes them.
      if (!(await atMost(clock, STOP_MS, pumped))) {
        throw new StoreAway("elicit-kit: the log of a turn has not accepted its last chunks in time.");
      }
      if (onTurnEnd !== undefined)
        await recorder.step("turn end", () => keep(turn, onTurnEnd), { key: "" }).catch(onError);
    }
  };
}
