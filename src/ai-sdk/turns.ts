import type { ChannelEvent } from "../client/channel.ts";
import { IDLE, nextTurnState, type TurnEvent, type TurnState } from "./turn-state.ts";
import { createListeners, isolateErrors, type Listeners } from "../client/listeners.ts";

/** The turns of all conversations that go through one `fetch`. */
export interface Turns {
  /** Whether a stream of this conversation was ever read here. */
  has(conversationId: string): boolean;
  stateOf(conversationId: string): TurnState;
  dispatch(conversationId: string, event: TurnEvent): void;
  /** Calls `listener` when the status of a conversation changes. Returns a function that removes the listener. */
  onStatus(conversationId: string, listener: () => void): () => void;
  /**
   * Call it when the user stopped reading. Calls `send` to stop the turn on the server, once, unless a new request comes
   * first.
   */
  stop(conversationId: string, send: () => Promise<void>): void;
  /**
   * Call it before each new HTTP request of a conversation. A stop that was not sent yet is cancelled, because a new
   * message ends the old turn by itself, and a client that re-attaches wants the turn to continue. If a stop was already
   * sent, this waits for it, because it could end the new turn.
   */
  beforeRequest(conversationId: string, signal: AbortSignal | undefined): Promise<void> | undefined;
  /** Stops all attempts to re-attach. */
  giveUp(): void;
}

interface Turn {
  state: TurnState;
  readonly listeners: Listeners<void>;
  stopTimer?: ReturnType<typeof setTimeout> | undefined;
  stopSent?: Promise<void> | undefined;
}

/** Keeps the state of each conversation's turn, and calls `push` when a conversation becomes live or stops being live. */
export function createTurns(push: ((event: ChannelEvent) => void) | undefined): Turns {
  const turns = new Map<string, Turn>();
  const tell = isolateErrors(push);

  function turnOf(conversationId: string): Turn {
    let turn = turns.get(conversationId);
    if (turn === undefined) turns.set(conversationId, (turn = { state: IDLE, listeners: createListeners() }));
    return turn;
  }

  function dispatch(conversationId: string, event: TurnEvent): void {
    const turn = turnOf(conversationId);
    const before = turn.state;
    turn.state = nextTurnState(before, event);
    const live = turn.state.open > 0;
    if (live !== before.open > 0) tell({ type: "live", conversationId, live });
    if (turn.state.status !== before.status) turn.listeners.tell();
  }

  return {
    has: (conversationId) => turns.has(conversationId),
    stateOf: (conversationId) => turns.get(conversationId)?.state ?? IDLE,
    dispatch,
    onStatus: (conversationId, listener) => turnOf(conversationId).listeners.add(listener),
    stop(conversationId, send) {
      const turn = turnOf(conversationId);
      if (turn.state.status === "stopping") return;
      dispatch(conversationId, { type: "stop" });
      // A chat that re-attaches twice aborts its first stream just before it asks for the second.
      turn.stopTimer = setTimeout(() => {
        turn.stopSent = send().finally(() => {
          turn.stopSent = undefined;
          dispatch(conversationId, { type: "stopped" });
        });
      });
    },
    beforeRequest(conversationId, signal) {
      const { stopTimer, stopSent } = turnOf(conversationId);
      if (stopSent === undefined) {
        clearTimeout(stopTimer);
        dispatch(conversationId, { type: "stopped" });
        return undefined;
      }
      if (signal === undefined) return stopSent;
      return Promise.race([
        stopSent,
        new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve())),
      ]);
    },
    giveUp() {
      for (const conversationId of turns.keys()) dispatch(conversationId, { type: "superseded" });
    },
  };
}
