import { z } from "zod";
import { recordedTool } from "../../src/agent/recorded-tool.ts";
import type { FormQuestion, RunTurn, Turn, UrlQuestion } from "../../src/runtime/index.ts";
import type { ElicitationResult, StreamChunk } from "../../src/runtime/internal.ts";
import { sleep } from "../../src/base/deadlines.ts";
import type { Act, Call, Program } from "./programs.ts";
import type { SimulatedProcess } from "./process.ts";
import type { Random } from "./random.ts";
import { DID, type Reference } from "./reference.ts";

interface Part {
  readonly type: string;
  readonly delta?: string;
  readonly toolCallId?: string;
}

const ANSWER = { type: "object", properties: { answer: { type: "string" } }, required: ["answer"] } as const;

/**
 * The position of an act in a program: the call, the lane, and the number among equal acts there. An update does not
 * change it.
 */
function placeOf(call: Call, lane: number, index: number): string {
  const acts = (call.lanes[lane] ?? []).slice(0, index + 1).map((act) => JSON.stringify(act));
  return `${call.id}/${lane}/${acts.at(-1)}/${acts.filter((act) => act === acts.at(-1)).length}`;
}

/** Lanes pause in unrecorded code, so the order of their acts changes from run to run. Keys allow that. */
function keyOf(call: Call, place: string): string | undefined {
  return call.lanes.length > 1 ? place : undefined;
}

/** An agent that runs programs, in one process. It reports its questions, results and effects to the reference. */
export function simulatedAgent(options: {
  process: SimulatedProcess;
  programOf: (conversationId: string) => Program;
  reference: Reference;
  random: Random;
  /** Kills the process. */
  die: () => void;
}): RunTurn {
  const { process, reference, random } = options;
  /** The duration of unrecorded code. */
  const pause = () => (random.chance(0.7) ? Promise.resolve() : sleep(process.clock, random.between(0, 5)));

  async function askOne(turn: Turn, place: string, question: FormQuestion | UrlQuestion) {
    const result = await turn.ask(question);
    reference.told(turn, { place, message: question.message, result });
    return result;
  }

  function questionOf(call: Call, place: string, { message, mode, forMs }: Ask): FormQuestion | UrlQuestion {
    const common = {
      message,
      key: keyOf(call, place),
      tool: { id: call.name, name: call.name },
      toolCallId: call.id,
      expiresInMs: forMs,
    };
    return mode === "url"
      ? { ...common, mode, url: (id) => `https://auth.example.com/${id}` }
      : { ...common, mode, requestedSchema: ANSWER };
  }

  async function act(turn: Turn, call: Call, place: string, what: Act, show: Show): Promise<string> {
    switch (what.kind) {
      case "ask":
        return (await askOne(turn, place, questionOf(call, place, what))).outcome;
      case "round": {
        const questions = what.messages.map((message, index) =>
          questionOf(call, `${place}/${index}`, { message, mode: "form", forMs: what.forMs }),
        );
        const results: readonly ElicitationResult[] = await turn.askRound(questions);
        for (const [index, result] of results.entries()) {
          const { message = "" } = questions[index] ?? {};
          reference.told(turn, { place: `${place}/${index}`, message, result });
        }
        return results.map(({ outcome }) => outcome).join("+");
      }
      case "step":
        return turn.runner.step(
          what.name,
          async () => {
            reference.does(turn.id, place);
            await sleep(process.clock, random.between(0, 2 * what.ms));
            return DID + place;
          },
          { key: keyOf(call, place) },
        );
      case "think":
        await sleep(process.clock, random.between(0, 2 * what.ms));
        return "thought";
      case "progress":
        show(random.chance(0.5) ? "working" : `working on ${random.below(1e9)}`);
        return "shown";
      case "die":
        options.die();
        return new Promise(() => {});
    }
  }

  async function runLane(turn: Turn, call: Call, lane: number, show: Show): Promise<readonly string[]> {
    const results: string[] = [];
    for (const [index, what] of (call.lanes[lane] ?? []).entries()) {
      await pause();
      results.push(await act(turn, call, placeOf(call, lane, index), what, show));
    }
    return results;
  }

  /** A model that returns another text each time, and then calls tools. */
  function modelOf(program: Program, round: number) {
    return {
      doStream: async () => {
        await pause();
        const parts: Part[] = [
          { type: "text-delta", delta: `${random.below(1e9)} ` },
          { type: "text-delta", delta: `${random.below(1e9)}.` },
          ...(program.rounds[round] ?? []).map(({ id }): Part => ({ type: "tool-call", toolCallId: id })),
          { type: "finish" },
        ];
        return {
          stream: new ReadableStream<Part>({
            async pull(controller) {
              const part = parts.shift();
              if (part === undefined) {
                controller.close();
                return;
              }
              await pause();
              controller.enqueue(part);
            },
          }),
        };
      },
    };
  }

  async function* runRound(
    turn: Turn,
    program: Program,
    round: number,
    said: string[],
  ): AsyncGenerator<StreamChunk> {
    yield { type: "start-step" };
    const model = turn.runner.model(modelOf(program, round));
    const { stream } = await model.doStream();
    const calls: Call[] = [];
    const id = `text_${round}`;
    yield chunk("text-start", { id });
    for await (const part of stream) {
      if (part.delta !== undefined) {
        said.push(part.delta);
        yield chunk("text-delta", { id, delta: part.delta });
      }
      // A recorded model may name a call that the running version does not have.
      const call = (program.rounds[round] ?? []).find((one) => one.id === part.toolCallId);
      if (call !== undefined) calls.push(call);
    }
    yield chunk("text-end", { id });
    for (const { id: toolCallId, name } of calls)
      yield chunk("tool-input-available", { toolCallId, toolName: name });
    yield* merged(
      calls.map((call) => async (show) => {
        if (call.isLater === true) {
          show(chunk("tool-output-available", { toolCallId: call.id, output: await beginLater(turn, call) }));
          return;
        }
        const key = { id: `${turn.id}/${call.id}`, name: call.name };
        const output = await turn.runner.tool(key, async () => {
          const shown = reference.begins(turn.id, call.id);
          const preliminary: Show = (text) => {
            shown.push(text);
            show(chunk("tool-output-available", { toolCallId: call.id, output: text, preliminary: true }));
          };
          return Promise.all(call.lanes.map((_, lane) => runLane(turn, call, lane, preliminary)));
        });
        show(chunk("tool-output-available", { toolCallId: call.id, output }));
      }),
    );
    yield { type: "finish-step" };
  }

  /** Runs a call in the background, as an agent of the kit does. */
  async function beginLater(turn: Turn, call: Call): Promise<unknown> {
    const { execute } = recordedTool(turn, call.name, {
      tool: {
        inputSchema: z.object({}),
        execute() {
          turn.background.run({ toolCallId: call.id, tool: call.name }, () =>
            Promise.all(call.lanes.map((_, lane) => runLane(turn, call, lane, () => {}))),
          );
          return "asked";
        },
      },
      onError: () => {},
    });
    return execute?.({}, { toolCallId: call.id, messages: [], context: {} });
  }

  return async function* run(turn) {
    const program = options.programOf(turn.conversationId);
    reference.runs(turn.id, process);
    const said: string[] = [];
    yield chunk("start", { messageId: turn.id });
    for (let round = 0; round < program.rounds.length; round += 1)
      yield* runRound(turn, program, round, said);
    for (let round = program.rounds.length; ; round += 1) {
      const ended = await turn.background.next();
      if (ended.length === 0) break;
      reference.continues(
        turn.id,
        round,
        ended.map(({ toolCallId }) => toolCallId),
      );
      yield* runRound(turn, program, round, said);
    }
    reference.finishes(turn.id, said.join(""));
    yield { type: "finish" };
  };
}

type Ask = { readonly message: string; readonly mode: "form" | "url"; readonly forMs: number };
type Show = (text: string) => void;

function chunk(type: string, more: Record<string, unknown>): StreamChunk {
  return { type, ...more };
}

/** Merges the progress of parallel works, in the order in which it appears. */
async function* merged(
  works: readonly ((show: (shown: StreamChunk) => void) => Promise<void>)[],
): AsyncGenerator<StreamChunk> {
  const shown: StreamChunk[] = [];
  let wake = () => {};
  let left = works.length;
  let failure: { readonly error: unknown } | undefined;
  for (const work of works) {
    work((one) => {
      shown.push(one);
      wake();
    })
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => {
        left -= 1;
        wake();
      });
  }
  for (;;) {
    const next = shown.shift();
    if (next !== undefined) yield next;
    else if (failure !== undefined) throw failure.error;
    else if (left === 0) return;
    else
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }
}
