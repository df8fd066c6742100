import { type Message, Role, type StreamResponse, type Task, TaskState } from "@a2a-js/sdk";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NEW_TASK, type TaskView, foldEvent, foldMessage, foldTask, hasEnded } from "./task-view.ts";

const part = (value: string) => ({
  content: { $case: "text" as const, value },
  metadata: undefined,
  filename: "",
  mediaType: "",
});
const said = (value: string): Message => ({
  messageId: value,
  contextId: "c",
  taskId: "t",
  role: Role.ROLE_AGENT,
  parts: [part(value)],
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
});
const status = (state: TaskState, text: string, timestamp?: string, taskId = "t"): StreamResponse => ({
  payload: {
    $case: "statusUpdate",
    value: { taskId, contextId: "c", status: { state, message: said(text), timestamp }, metadata: undefined },
  },
});
const artifact = (id: string, text: string, append = false): StreamResponse => ({
  payload: {
    $case: "artifactUpdate",
    value: {
      taskId: "t",
      contextId: "c",
      artifact: {
        artifactId: id,
        name: "",
        description: "",
        parts: [part(text)],
        metadata: undefined,
        extensions: [],
      },
      append,
      lastChunk: true,
      metadata: undefined,
    },
  },
});
const snapshot = (id: string, state: TaskState): Task => ({
  id,
  contextId: "c",
  status: { state, message: said("snapshot"), timestamp: undefined },
  artifacts: [],
  history: [],
  metadata: undefined,
});
const fold = (events: readonly StreamResponse[], from: TaskView = NEW_TASK) => events.reduce(foldEvent, from);
const started = foldTask(NEW_TASK, snapshot("t", TaskState.TASK_STATE_WORKING));

describe("the view of a task", () => {
  it("ignores an event that arrives twice", () => {
    const asked = status(TaskState.TASK_STATE_INPUT_REQUIRED, "Who?");
    const once = fold([asked], started);
    expect(once).toMatchObject({ state: "input-required", revision: started.revision + 1 });
    expect(foldEvent(once, asked)).toEqual(once);
  });

  it("ignores an older status that arrives late", () => {
    const now = fold([status(TaskState.TASK_STATE_AUTH_REQUIRED, "Pay", "2026-11-20T12:00:02Z")], started);
    const late = fold([status(TaskState.TASK_STATE_WORKING, "Working", "2026-11-20T12:00:01Z")], now);
    expect(late.state).toBe("auth-required");
  });

  it("does not change after the task has ended", () => {
    const ended = fold([artifact("a", "Result"), status(TaskState.TASK_STATE_COMPLETED, "Done")], started);
    const after = fold(
      [status(TaskState.TASK_STATE_INPUT_REQUIRED, "Who?"), artifact("a", "Other"), artifact("b", "More")],
      ended,
    );
    expect(after).toEqual(ended);
  });

  it("ignores events of another task", () => {
    const other = [status(TaskState.TASK_STATE_FAILED, "No", undefined, "other")];
    expect(fold(other, started)).toEqual(started);
    expect(foldTask(started, snapshot("other", TaskState.TASK_STATE_COMPLETED))).toEqual(started);
    expect(foldMessage(started, said("Done"))).toEqual(started);
  });

  it.each([TaskState.TASK_STATE_UNSPECIFIED, TaskState.UNRECOGNIZED, 99 as TaskState])(
    "ignores an unknown state (%s)",
    (state) => {
      expect(fold([status(state, "?")], started).state).toBe("working");
    },
  );

  it("joins the parts of an artifact", () => {
    const { artifacts } = fold(
      [artifact("a", "one "), artifact("a", "two", true), artifact("b", "three")],
      started,
    );
    expect([...artifacts.values()]).toEqual(["one two", "three"]);
  });

  it("limits the number and the length of artifacts", () => {
    const many = Array.from({ length: 1000 }, (_, n) => artifact(`a${n}`, "x"));
    expect(fold(many, started).artifacts.size).toBe(100);
    const endless = Array.from({ length: 20 }, () => artifact("a", "x".repeat(100_000), true));
    expect(fold(endless, started).artifacts.get("a")).toHaveLength(512 * 1024);
  });

  it("keeps the first final state, in any order of states", () => {
    const state = fc.integer({ min: -1, max: 9 });
    fc.assert(
      fc.property(fc.array(state), (states) => {
        let view = started;
        let end: TaskView | undefined;
        for (const [index, next] of states.entries()) {
          view = foldEvent(view, status(next, String(index)));
          if (end === undefined && hasEnded(view)) end = view;
          expect(end ?? view).toEqual(view);
        }
      }),
    );
  });
});

it("a reply that is a message and not a task is also read", () => {
  expect(foldMessage(NEW_TASK, said("Hello"))).toMatchObject({ state: "completed", taskId: undefined });
});
