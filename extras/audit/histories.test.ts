import fc from "fast-check";
import { expect, test } from "vitest";
import { createMemoryRecords } from "../../src/runtime/index.ts";
import type { Decision } from "./decision.ts";
import type { DecisionLog } from "./log.ts";
import { createMemoryDecisionLog } from "./memory-log.ts";
import { verifyDecisions } from "./verify.ts";
import { CITY, CONNECT, asking, createTestRuntime } from "../../test/stages/test-runtime.ts";

const EXPIRES_MS = 600_000;
const user = fc.constantFrom("ada", "bob");
const surface = fc.constantFrom("chat", "slack", "mcp");
const which = fc.nat(30);
const step = fc.oneof(
  {
    arbitrary: fc.record({
      do: fc.constant("ask" as const),
      mode: fc.constantFrom("form", "url"),
      user,
      surface,
    }),
    weight: 3,
  },
  {
    arbitrary: fc.record({
      do: fc.constant("answer" as const),
      which,
      what: fc.constantFrom("accept", "consent", "invalid", "decline", "cancel"),
      through: surface,
    }),
    weight: 3,
  },
  fc.record({
    do: fc.constant("page" as const),
    which,
    what: fc.constantFrom("complete", "lose", "fail", "retry", "decline"),
    /** The user, or server code of the application, such as a webhook. */
    who: fc.constantFrom("user", "server"),
  }),
  fc.record({ do: fc.constant("withdraw" as const), which }),
  fc.record({ do: fc.constant("wait" as const), ms: fc.constantFrom(1000, EXPIRES_MS / 3) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Row {
  readonly event: string;
  readonly by?: string;
  readonly through?: string;
}

/** A request, as the model of this property test tracks it. */
interface Asked {
  readonly elicitationId: string;
  readonly mode: string;
  readonly user: string;
  readonly conversationId: string;
  readonly expiresAt: number;
  readonly end: AbortController;
  readonly rows: Row[];
  isOpen: boolean;
  hasFailed: boolean;
}

/** Waits until the digests are computed: each one needs a task of the event loop. */
async function settled(): Promise<void> {
  for (let task = 0; task < 5; task += 1) await new Promise((resolve) => setImmediate(resolve));
}

async function live(steps: readonly Step[]) {
  const log = createMemoryDecisionLog();
  const runtime = createTestRuntime(asking(CITY), {
    ports: { records: log.watch(createMemoryRecords()) },
  });
  const { clock, elicitations } = runtime;
  const all: Asked[] = [];

  async function ask({ mode, user: id, surface: kind }: Extract<Step, { do: "ask" }>): Promise<void> {
    const conversationId = `c${all.length}`;
    const end = new AbortController();
    const scope = {
      turnId: `t${all.length}`,
      conversationId,
      user: { id },
      surface: kind,
      signal: end.signal,
    };
    void runtime.ask(scope, mode === "form" ? CITY : CONNECT);
    await expect.poll(() => elicitations.listOpen(conversationId, id), { interval: 1 }).toHaveLength(1);
    const [record] = await elicitations.listOpen(conversationId, id);
    all.push({
      elicitationId: record?.request.elicitationId ?? "",
      mode,
      user: id,
      conversationId,
      expiresAt: clock.now() + EXPIRES_MS,
      end,
      rows: [{ event: "asked" }],
      isOpen: true,
      hasFailed: false,
    });
  }

  function close(asked: Asked, row: Row): void {
    asked.rows.push(row);
    asked.isOpen = false;
  }

  async function pass(ms: number): Promise<void> {
    clock.advance(ms);
    await settled();
    for (const asked of all) {
      if (asked.isOpen && asked.expiresAt <= clock.now()) close(asked, { event: "expired" });
    }
  }

  async function answer(asked: Asked, { what, through }: Extract<Step, { do: "answer" }>): Promise<void> {
    const { elicitationId, conversationId, mode } = asked;
    const action = what === "decline" || what === "cancel" ? what : "accept";
    const content = what === "invalid" ? { city: "R" } : { city: "Rome" };
    const given = {
      elicitationId,
      conversationId,
      action,
      ...(mode === "form" && action === "accept" && { content }),
    } as const;
    const acceptMeans = what === "consent" ? ("consent" as const) : undefined;
    const answered = elicitations.answer(given, asked.user, { acceptMeans, through });
    await settled();
    // Until the last check whether the page is completed.
    if (mode === "url") for (let check = 1; check < 3; check += 1) await pass(500);
    await answered;
    if (!asked.isOpen) return;
    const by = { by: asked.user, through };
    if (action !== "accept") close(asked, { event: `${action}${action === "decline" ? "d" : "led"}`, ...by });
    else if (mode === "form" && what !== "invalid") close(asked, { event: "accepted", ...by });
    else if (mode === "url" && what === "consent") {
      asked.rows.push({ event: "consented", ...by });
      asked.hasFailed = false;
    }
  }

  async function onPage(asked: Asked, { what, who }: Extract<Step, { do: "page" }>): Promise<void> {
    const { elicitationId, isOpen, hasFailed } = asked;
    const at = who === "user" ? { through: "page" } : {};
    const by = who === "user" ? { by: asked.user, through: "page" } : {};
    if (what === "fail") {
      await elicitations.fail(elicitationId, "No luck.", at);
      if (!isOpen) return;
      asked.rows.push({ event: "attempt-failed", ...by });
      asked.hasFailed = true;
    } else if (what === "retry") {
      await elicitations.retry(elicitationId, at);
      if (!isOpen || !hasFailed) return;
      asked.rows.push({ event: "consented", ...by });
      asked.hasFailed = false;
    } else if (what === "decline") {
      await elicitations.decline(elicitationId, at);
      if (isOpen) close(asked, { event: "declined", ...by });
    } else {
      const store = () => (what === "lose" ? Promise.reject(new Error("full")) : Promise.resolve());
      await elicitations.complete(elicitationId, store, at).catch(() => {});
      if (isOpen) close(asked, { event: "accepted", ...by });
      if (isOpen && what === "lose") asked.rows.push({ event: "failed" });
    }
  }

  async function take(next: Step): Promise<void> {
    if (next.do === "ask") return ask(next);
    if (next.do === "wait") return pass(next.ms);
    const asked = all[next.which % Math.max(all.length, 1)];
    if (asked === undefined) return undefined;
    if (next.do === "answer") return answer(asked, next);
    if (next.do === "page") return onPage(asked, next);
    asked.end.abort();
    await settled();
    if (asked.isOpen) close(asked, { event: "withdrawn" });
    return undefined;
  }

  for (const next of steps) await take(next);
  await settled();
  return { log, all, errors: runtime.errors };
}

test("in any history of requests, the log has a row for each event, in order, and can be verified", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const { log, all } = await live(steps);
      const rows = await log.read({ limit: 1000 });
      for (const { elicitationId, rows: expected } of all) {
        const found = rows.filter((row) => row.elicitationId === elicitationId);
        expect(
          found.map(({ event, by, through }) => ({
            event,
            ...((by ?? through) !== undefined && { by, through }),
          })),
        ).toEqual(expected);
      }
      expect(rows).toHaveLength(all.flatMap((asked) => asked.rows).length);
      expect(await verifyDecisions(log)).toMatchObject({ ok: true, rows: rows.length });
    }),
    { numRuns: 30 },
  );
});

const tamper = fc.record({
  how: fc.constantFrom("change", "remove", "swap", "swap all but places", "repeat", "cut", "add"),
  at: fc.nat(1000),
  other: fc.nat(1000),
  member: fc.constantFrom("at", "event", "userId", "by", "through", "elicitationId", "previous", "seq"),
});

function tampered(
  rows: readonly Decision[],
  { how, at, other, member }: typeof tamper extends fc.Arbitrary<infer T> ? T : never,
): Decision[] {
  const changed = [...rows];
  const index = at % rows.length;
  const second = other % rows.length;
  const [one, two] = [rows[index], rows[second]];
  if (one === undefined || two === undefined) return changed;
  if (how === "change")
    changed[index] = { ...one, [member]: member === "seq" ? one.seq + 1 : `${one[member]}x` };
  if (how === "remove") changed.splice(index, 1);
  if (how === "swap") [changed[index], changed[second]] = [two, one];
  if (how === "swap all but places") {
    changed[index] = { ...two, seq: one.seq, previous: one.previous };
    changed[second] = { ...one, seq: two.seq, previous: two.previous };
  }
  if (how === "repeat") changed.splice(index, 0, one);
  if (how === "cut") changed.splice(index);
  if (how === "add") changed.push({ ...one, seq: rows.length + 1 });
  return changed;
}

test("verification finds a row that was changed, removed, moved or repeated, and ignores a row that was only added", async () => {
  const { log } = await live([
    ...Array.from({ length: 6 }, () => ({ do: "ask", mode: "form", user: "ada", surface: "chat" }) as const),
    ...Array.from(
      { length: 6 },
      (_, index) => ({ do: "answer", which: index, what: "accept", through: "chat" }) as const,
    ),
  ]);
  const rows = await log.read({ limit: 100 });
  const head = await log.head();
  await fc.assert(
    fc.asyncProperty(tamper, async (how) => {
      const stored = tampered(rows, how);
      let place = 0;
      const other: DecisionLog = {
        ...log,
        // Returns rows by their position in the array. A real store would leave out rows with a wrong `seq`.
        read: async ({ after, limit }) => {
          if (after === undefined) place = 0;
          return stored.slice(place, (place += Math.min(limit, 4)));
        },
        head: async () => head,
      };
      const isSame = JSON.stringify(stored.slice(0, rows.length)) === JSON.stringify(rows);
      expect(await verifyDecisions(other)).toMatchObject({ ok: isSame });
    }),
    { numRuns: 300 },
  );
});
