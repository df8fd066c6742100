import { expect, test } from "vitest";
import type { RunTurn } from "../../src/runtime/index.ts";
import { SURE, WHERE, createBookingAgent } from "./booking-agent.ts";
import { type ChatClient, readStream } from "./chat-client.ts";

/** A process of an application. */
export interface EngineProcess {
  readonly ada: ChatClient;
  errors(): readonly unknown[];
}

/** An engine that runs the turns of an application in several processes. */
export interface TurnEngine<Process extends EngineProcess> {
  /** @param onTurnEnd called when a turn is kept as history */
  startProcess(runTurn: RunTurn, onTurnEnd: () => void): Promise<Process>;
  /** Resolves when the process no longer runs its turn. */
  leave(process: Process): Promise<unknown>;
}

/** Tests for every engine whose turns survive their process. */
export function testTurnEngine<Process extends EngineProcess>(
  name: string,
  startEngine: () => Promise<TurnEngine<Process>>,
): void {
  test(`${name}: a turn uses the same routes and tools as with the engine in memory`, async () => {
    const { startProcess } = await startEngine();
    const { runTurn, done, errors } = createBookingAgent();
    const process = await startProcess(runTurn, () => void done.push("kept the turn"));
    const stream = await process.ada.send("c1");
    const where = await stream.request(0, WHERE);
    await process.ada.answer("c1", { ...where, action: "accept", content: { answer: "Rome" } });
    const sure = await stream.request(0, SURE);
    await process.ada.answer("c1", { ...sure, action: "accept", content: { answer: true } });
    await stream.done;
    expect(stream.chunks).toContainEqual(expect.objectContaining({ output: "Booked: Rome, true" }));
    await expect.poll(() => done).toEqual(["looked at the weather", "booked Rome", "kept the turn"]);
    expect([...errors, ...process.errors()]).toEqual([]);
  });

  test(`${name}: an answer that arrives while no process runs its turn continues the turn in the process that gets it, and repeats no step`, async () => {
    const { startProcess, leave } = await startEngine();
    const { runTurn, done, model, errors } = createBookingAgent();
    const keep = () => void done.push("kept the turn");
    const first = await startProcess(runTurn, keep);
    const before = await first.ada.send("c1");
    const where = await before.request(0, WHERE);
    await leave(first);
    await before.cancel();

    const second = await startProcess(runTurn, keep);
    const after = readStream(await second.ada.fetch("/run/api/chat/c1/stream"));
    const rome = { ...where, action: "accept", content: { answer: "Rome" } };
    expect((await second.ada.answer("c1", rome)).status).toBe(200);
    const sure = await after.request(0, SURE);
    await second.ada.answer("c1", { ...sure, action: "accept", content: { answer: true } });
    await after.done;
    expect(after.chunks).toContainEqual(expect.objectContaining({ output: "Booked: Rome, true" }));
    await expect.poll(() => done).toEqual(["looked at the weather", "booked Rome", "kept the turn"]);
    expect(model.doStreamCalls).toHaveLength(3);
    const types = after.chunks.map(({ type }) => type);
    for (const type of ["start", "finish", "text-delta"]) {
      expect(types.filter((other) => other === type)).toEqual([type]);
    }
    const asked = after.chunks.filter(({ type }) => type === "data-elicitation-request");
    expect(asked.map(({ id }) => id)).toEqual(
      [where, where, sure, sure].map(({ elicitationId }) => elicitationId),
    );
    expect([...errors, ...second.errors()]).toEqual([]);
  });
}
