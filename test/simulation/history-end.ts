import { REQUEST_PART_TYPE } from "../../src/contract/contract.ts";
import type { ElicitationRecord, TurnStreamEntry } from "../../src/runtime/internal.ts";
import { isObject } from "../../src/contract/json.ts";
import type { SimulatedDatabase } from "./database.ts";
import { type Reference, Violation } from "./reference.ts";

/** A turn that loses this many processes without recording anything is assumed to kill them. */
const MAX_DEATHS = 3;
const ENDS: ReadonlySet<string> = new Set(["finish", "abort", "error"]);

/** Whether everything has ended. */
export function isOver(database: SimulatedDatabase): boolean {
  for (const { isEnded } of database.turns.values()) if (!isEnded) return false;
  return true;
}

/** Returns the violations at the end of a history. */
export function checkEnd(reference: Reference, database: SimulatedDatabase): readonly Violation[] {
  const violations: Violation[] = [];
  for (const [turnId, { entries, isEnded }] of database.turns) {
    const broken = (words: string) => void violations.push(new Violation(`turn ${turnId}: ${words}`));
    const turn = reference.turn(turnId);
    if (!isEnded) {
      const row = JSON.stringify(database.runs.get(turnId));
      broken(`has not ended; confirmed: ${turn.isConfirmed}, its run: ${row}`);
      continue;
    }
    const types = entries.map(({ chunk }) => chunk.type);
    const ends = types.filter((type) => ENDS.has(type));
    const [end] = ends;
    if (ends.length !== 1) broken(`has the ends ${ends.join(", ")}`);
    // Chunks after the end of a log are allowed: no client reads them.
    if (types.filter((type) => type === "start").length > 1) broken("starts twice");
    if (end === "abort" && !turn.isStopped) broken("was aborted, and nobody has stopped it");
    if (end === "error" && !turn.isSpared && !turn.isStopped && turn.mostLost < MAX_DEATHS)
      broken(`was ended without a fault of its own: ${JSON.stringify(entries.at(-1)?.chunk)}`);
    if (turn.failure !== undefined && !turn.isSpared) broken(turn.failure);
    if (end === "finish" && turn.said !== textOf(entries))
      broken(`shows "${textOf(entries)}" of what its agent said: "${turn.said}"`);
    if (end === "finish" && turn.kept === 0) broken("was not kept as history");
    const records = [...database.records.values()].filter((record) => record.turnId === turnId);
    for (const record of records) {
      for (const words of wrongIn(record, entries)) broken(words);
      const winner = reference.winnerOf(record.request.elicitationId);
      const isUsed = turn.usedAt.has(record.request.elicitationId);
      if (end === "finish" && winner !== undefined && record.status === "accepted" && !isUsed)
        broken(`never used the answer ${winner.text}`);
    }
    if (end === "finish") {
      for (const [callId, runs] of turn.shown) {
        const progress = progressOf(entries, callId);
        // The result of the call was recorded in a run that ended before it wrote its progress, so only the result is
        // shown.
        const isCutOff = runs.every(({ run }) => run < turn.ranIn.length);
        // The last valid run of the call. Another process may have begun an invalid one.
        if (!isCutOff && !runs.some(({ words }) => progress.endsWith(withoutRepeats(words))))
          broken(`shows the progress ${progress} of ${callId}, and its runs were ${JSON.stringify(runs)}`);
      }
      for (const effect of turn.effects.keys())
        // A version without the call does not know an interrupted one.
        if (!turn.recorded.has(effect) && !turn.isSpared) broken(`finished without the record of ${effect}`);
    }
  }
  return violations;
}

function* wrongIn(record: ElicitationRecord, entries: readonly TurnStreamEntry[]): Iterable<string> {
  const { elicitationId, message } = record.request;
  if (record.endedAt === undefined) yield `"${message}" was left open`;
  else if (record.status === "accepted" && record.endedAt >= record.expiresAt)
    yield `"${message}" was answered after its time`;
  const shown = entries.flatMap(({ chunk }) =>
    chunk.type === REQUEST_PART_TYPE && "data" in chunk && isObject(chunk.data) ? [chunk.data] : [],
  );
  const mine = shown.filter((data) => data["elicitationId"] === elicitationId);
  const resolved = mine.filter((data) => data["resolution"] !== undefined);
  const outcomes = resolved.map(({ resolution }) =>
    isObject(resolution) ? resolution["outcome"] : undefined,
  );
  if (mine.length > 0 && !(outcomes.length === 1 && outcomes[0] === record.status))
    yield `"${message}" ended as ${record.status} and is shown as ${outcomes.join(", ") || "open"}`;
}

/** The text that a client shows. */
function textOf(entries: readonly TurnStreamEntry[]): string {
  return entries
    .map(({ chunk }) => ("delta" in chunk && typeof chunk.delta === "string" ? chunk.delta : ""))
    .join("");
}

/** The progress of a call, as a client shows it. */
function progressOf(entries: readonly TurnStreamEntry[], callId: string): string {
  return withoutRepeats(
    entries.flatMap(({ chunk }) =>
      "preliminary" in chunk && "toolCallId" in chunk && chunk.toolCallId === callId && "output" in chunk
        ? [String(chunk.output)]
        : [],
    ),
  );
}

/** Equal consecutive entries look like one. */
function withoutRepeats(shown: readonly string[]): string {
  return shown.filter((text, index) => text !== shown[index - 1]).join("; ");
}
