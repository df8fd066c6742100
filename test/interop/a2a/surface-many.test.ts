/** A test with many tasks that wait at the same time. */
import { TaskState } from "@a2a-js/sdk";
import { TaskNotFoundError } from "@a2a-js/sdk/errors";
import { expect, test } from "vitest";
import { createManualClock } from "../../../src/base/testing/manual-clock.ts";
import { CITY, asking } from "../../stages/test-runtime.ts";
import { type Caller, caller, questionsOf, serve, stateOf } from "./served.ts";

const PEOPLE = 50;
/** The limit of turns for one user. */
const TASKS = 20;
const KEEP_MS = 60_000;
const WAITING = TaskState.TASK_STATE_INPUT_REQUIRED;

const authenticate = ({ headers }: Request) => ({ user: { id: headers.get("authorization") ?? "" } });

const listed = (from: Caller, pageSize: number, pageToken = "") =>
  from.client.listTasks(
    { tenant: "", contextId: "", status: WAITING, pageSize, pageToken, statusTimestampAfter: undefined },
    from.options,
  );

test("while 1,000 tasks of fifty users wait, each user sees their own, and no timer is left when all have ended", async () => {
  const clock = createManualClock();
  const served = serve(asking(CITY), { ports: { clock }, surface: { clock, keepMs: KEEP_MS, authenticate } });
  const people = await Promise.all(
    Array.from({ length: PEOPLE }, async (_, n) => {
      const person = await caller(served, { user: `person-${n}` });
      const ids: string[] = [];
      for (let count = 0; count < TASKS; count += 1) {
        ids.unshift((await person.send("Book", {}, { returnImmediately: true })).id);
      }
      return { person, ids };
    }),
  );
  expect(new Set(people.flatMap(({ ids }) => ids)).size).toBe(PEOPLE * TASKS);

  for (const { person, ids } of people) {
    const first = await listed(person, 15);
    const second = await listed(person, 15, first.nextPageToken);
    const all = [...first.tasks, ...second.tasks].map(({ id }) => id);
    expect(all.toSorted()).toEqual(ids.toSorted());
    expect(first).toMatchObject({ pageSize: 15, totalSize: TASKS });
  }
  const waiting = clock.waiting;
  for (const [index, { person, ids }] of people.entries()) {
    const task = await person.get(ids[0]!);
    expect(stateOf(task)).toBe(WAITING);
    expect(questionsOf(task)).toHaveLength(1);
    const others = people[(index + 1) % PEOPLE]?.ids[0] ?? "";
    await expect(person.get(others)).rejects.toThrow(TaskNotFoundError);
    const reading = person.client.resubscribeTask({ tenant: "", id: ids[0]! }, person.options);
    await reading.next();
    await reading.return();
  }
  // Neither a read of a task nor a stream whose client has left keeps a timer.
  await expect.poll(() => clock.waiting).toBe(waiting);

  const [{ person, ids } = people[0]!] = people;
  for (const id of ids)
    await person.client.cancelTask({ tenant: "", id, metadata: undefined }, person.options);
  expect(await listed(person, 15)).toMatchObject({ tasks: [], totalSize: 0 });
  await served.runtime.close();
  clock.advance(KEEP_MS);
  await expect.poll(() => clock.waiting).toBe(0);
  await expect(person.get(ids[0]!)).rejects.toThrow(TaskNotFoundError);
  expect([...served.errors, ...served.runtime.errors]).toEqual([]);
});
