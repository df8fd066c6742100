import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type {
  ElicitationAction,
  ElicitationOutcome,
  ElicitationRequest,
  StatusReport,
} from "../contract/contract.ts";
import type { ElicitationItem, ElicitationStatus } from "./elicitation.ts";
import { hasEnded, isOpen } from "./ended.ts";
import { createItem, type ElicitationEvent, transition } from "./state.ts";

// The machine may be busy, and FC_RUNS may ask for long runs.
vi.setConfig({ testTimeout: 600_000 });
const RUNS = Number(process.env["FC_RUNS"] ?? 300);

const AT = "2026-11-21T12:00:00Z";
const OUTCOMES: readonly ElicitationOutcome[] = [
  "accepted",
  "declined",
  "cancelled",
  "expired",
  "withdrawn",
  "failed",
];

const urlRequest: ElicitationRequest = {
  type: "elicitation-request",
  elicitationId: "e1",
  mode: "url",
  message: "Tracker needs your account.",
  url: "https://auth.example.com/connect",
};
const formRequest: ElicitationRequest = {
  type: "elicitation-request",
  elicitationId: "e1",
  mode: "form",
  message: "Where to?",
  requestedSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};

function answer(action: ElicitationAction) {
  return { conversationId: "c1", elicitationId: "e1", action };
}

type DistributiveOmit<T, Key extends PropertyKey> = T extends unknown ? Omit<T, Key> : never;

const offline = { code: "offline" } as const;

const fresh = createItem("c1", urlRequest);
const sent = transition(fresh, { type: "sent", answer: answer("decline") });

/** One item in each status, reached through user actions. */
const examples: Record<string, readonly ElicitationItem[]> = {
  pending: [fresh, createItem("c1", formRequest)],
  opened: [transition(fresh, { type: "window", window: "open" })],
  answered: [transition(fresh, { type: "held", answer: answer("accept") })],
  submitting: [
    sent,
    transition(transition(fresh, { type: "window", window: "open" }), {
      type: "sent",
      answer: answer("accept"),
    }),
    transition(createItem("c1", urlRequest, { blocked: { kind: "url", reasons: [] } }), {
      type: "sent",
      answer: answer("cancel"),
    }),
  ],
  undelivered: [transition(sent, { type: "undelivered", notice: offline })],
  blocked: [createItem("c1", urlRequest, { blocked: { kind: "url", reasons: [] } })],
  gone: [transition(fresh, { type: "missing" })],
  "an end": OUTCOMES.map((outcome) => transition(fresh, resolved(outcome))),
};

function resolved(outcome: ElicitationOutcome): ElicitationEvent {
  return { type: "received", request: { ...urlRequest, resolution: { outcome, at: AT } } };
}

function receipt(
  what: DistributiveOmit<Extract<ElicitationEvent, { type: "receipt" }>["receipt"], "elicitationId">,
): ElicitationEvent {
  return { type: "receipt", receipt: { elicitationId: "e1", ...what } };
}

function reported(status: StatusReport["status"], lastError?: string): ElicitationEvent {
  return { type: "reported", report: { elicitationId: "e1", status, lastError, expiresAt: AT, now: AT } };
}

const receipts: readonly ElicitationEvent[] = [
  ...OUTCOMES.map((outcome) => receipt({ kind: "settled", outcome })),
  receipt({ kind: "consented" }),
  receipt({ kind: "pending" }),
  receipt({ kind: "refused", status: 400, message: "no" }),
  receipt({ kind: "gone" }),
];
const reports: readonly ElicitationEvent[] = (
  ["pending", "consented", "completed", ...OUTCOMES] as const
).map((status) => reported(status));

const events: Record<
  Exclude<ElicitationEvent["type"], "checking" | "unchecked" | "proposed" | "asked-again">,
  readonly ElicitationEvent[]
> = {
  received: [
    { type: "received", request: urlRequest },
    { type: "received", request: { ...urlRequest, progress: { status: "consented" } } },
    { type: "received", request: { ...urlRequest, from: { name: "Bo" } } },
    ...OUTCOMES.map(resolved),
  ],
  window: [{ type: "window", window: "open" }],
  held: [{ type: "held", answer: answer("cancel") }],
  sent: [{ type: "sent", answer: answer("cancel") }],
  receipt: receipts,
  undelivered: [{ type: "undelivered", notice: offline }],
  undeliverable: [{ type: "undeliverable", notice: offline }],
  reported: reports,
  missing: [{ type: "missing" }],
  changed: [{ type: "changed" }],
};

/** The transition table in the docstring of `transition`: from → event → text of the cell. */
function documentedTable(): Map<string, Map<string, string>> {
  const source = readFileSync(new URL("state.ts", import.meta.url), "utf8");
  const rows = source
    .split("\n")
    .filter((line) => line.startsWith(" * |"))
    .map((line) =>
      line
        .slice(3)
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const [head, , ...body] = rows;
  return new Map(
    body.map((row) => [row[0] ?? "", new Map(row.slice(1).map((cell, i) => [head?.[i + 1] ?? "", cell]))]),
  );
}

/** The statuses that a cell allows for an item with this history. */
function allowed(cell: string, from: ElicitationItem): ReadonlySet<ElicitationStatus> {
  const back = from.blocked !== undefined ? "blocked" : from.window !== undefined ? "opened" : "pending";
  const words = cell.split(/,\s*|\s+or\s+/);
  return new Set(
    words.flatMap((word): readonly ElicitationStatus[] => {
      if (word === "=") return [from.status];
      if (word === "end") return OUTCOMES;
      if (word === "back") return [back];
      return [word as ElicitationStatus];
    }),
  );
}

describe("the state of a request", () => {
  const table = documentedTable();

  it("has a row in the documentation for each status, and a column for each event", () => {
    expect([...table.keys()]).toEqual(Object.keys(examples));
    for (const row of table.values()) expect([...row.keys()]).toEqual(Object.keys(events));
  });

  for (const [status, items] of Object.entries(examples)) {
    for (const [type, given] of Object.entries(events)) {
      const cell = table.get(status)?.get(type) ?? "missing from the table";
      it(`changes from ${status} on the event ${type} to what the documentation says: ${cell}`, () => {
        for (const item of items) {
          const reached = new Set(given.map((event) => transition(item, event).status));
          const expected = allowed(cell, item);
          expect([...reached].filter((one) => !expected.has(one))).toEqual([]);
          // Every result in the table can be reached.
          if (cell !== "=" && status !== "an end")
            expect([...expected].filter((one) => !reached.has(one))).toEqual([]);
        }
      });
    }
  }

  it("begins with the status that the documentation says", () => {
    for (const [status, items] of Object.entries(examples)) {
      const reached = items.map((item) => (hasEnded(item.status) ? "an end" : item.status));
      expect(new Set(reached)).toEqual(new Set([status]));
    }
  });

  it("is open until it has ended or the server does not know it", () => {
    const open = Object.entries(examples).filter(([, items]) => items.every(isOpen));
    expect(open.map(([status]) => status)).toEqual([
      "pending",
      "opened",
      "answered",
      "submitting",
      "undelivered",
      "blocked",
    ]);
    expect([...examples["gone"]!, ...examples["an end"]!].filter(isOpen)).toEqual([]);
  });

  it("is the same object when nothing changes", () => {
    const ended = transition(fresh, resolved("declined"));
    for (const event of Object.values(events).flat()) expect(transition(ended, event)).toBe(ended);
    expect(transition(fresh, { type: "received", request: { ...urlRequest } })).toBe(fresh);
    const consented = {
      type: "received",
      request: { ...urlRequest, progress: { status: "consented" } },
    } as const;
    const once = transition(fresh, consented);
    expect(transition(once, consented)).toBe(once);
  });

  it("contains whether the window is open, and loses an old notice when another window opens", () => {
    const refused = transition(sent, { type: "undeliverable", notice: offline });
    const opened = transition(refused, { type: "window", window: "open" });
    expect(opened).toMatchObject({ status: "opened", window: "open", notice: undefined });
    expect(transition(opened, { type: "window", window: "open" })).toBe(opened);
    const closed = transition(opened, { type: "window", window: "closed" });
    expect(closed).toMatchObject({ status: "opened", window: "closed" });
  });

  it("contains that the window closed while an answer was waiting, when it is open again", () => {
    const opened = transition(fresh, { type: "window", window: "open" });
    const sending = transition(opened, { type: "sent", answer: answer("accept") });
    const closed = transition(sending, { type: "window", window: "closed" });
    expect(closed).toMatchObject({ status: "submitting", window: "closed", answer: answer("accept") });
    const open = { status: "opened", window: "closed" };
    expect(transition(closed, receipt({ kind: "pending" }))).toMatchObject(open);
    const undelivered = transition(sending, { type: "undelivered", notice: offline });
    const later = transition(undelivered, { type: "window", window: "closed" });
    expect(later).toMatchObject({ status: "undelivered", window: "closed", notice: offline });
  });

  it("contains the reason why an answer did not arrive, until the next one is sent", () => {
    const undelivered = transition(sent, { type: "undelivered", notice: offline });
    expect(undelivered.notice).toEqual(offline);
    expect(transition(undelivered, { type: "sent", answer: answer("cancel") }).notice).toBeUndefined();
    const undeliverable = transition(sent, { type: "undeliverable", notice: offline });
    expect(undeliverable).toMatchObject({ status: "pending", notice: offline, answer: undefined });
  });

  it("keeps consent as progress of the open request", () => {
    const consented = transition(sent, receipt({ kind: "consented" }));
    expect(consented.status).toBe("pending");
    expect(consented.request).toEqual({ ...urlRequest, progress: { status: "consented" } });
  });

  it("shows that the server has not confirmed completion, or the reason", () => {
    expect(transition(sent, receipt({ kind: "pending" })).notice).toEqual({ code: "not-completed" });
    expect(transition(sent, receipt({ kind: "pending", lastError: "Access denied" })).notice).toEqual({
      code: "provider-error",
      detail: "Access denied",
    });
  });

  it("contains the user's action only when that answer ended the request", () => {
    const accepted = transition(sent, receipt({ kind: "settled", outcome: "declined" }));
    expect(accepted).toMatchObject({ status: "declined", action: "decline", notice: undefined });
    const differs = transition(sent, receipt({ kind: "settled", outcome: "accepted", differs: true }));
    expect(differs).toMatchObject({ id: "e1", status: "accepted", request: urlRequest });
    expect(differs.action).toBeUndefined();
    expect(differs.notice).toBeUndefined();
  });

  it("gets the account of an outcome even if a status read has reported the outcome before", () => {
    const ended = transition(fresh, reported("accepted"));
    const resolution = { outcome: "accepted", at: AT, account: "alice" } as const;
    const told = transition(ended, { type: "received", request: { ...urlRequest, resolution } });
    expect(told).toMatchObject({ status: "accepted", request: { resolution } });
    expect(transition(ended, resolved("declined"))).toBe(ended);
    expect(transition(told, resolved("accepted"))).toBe(told);
  });

  it("keeps a proposal while the form waits, and drops it with the answer", () => {
    const form = createItem("c1", formRequest);
    const content = { city: "Lisbon" };
    const filled = transition(form, { type: "proposed", proposal: { state: "filled", content } });
    expect(filled).toMatchObject({ status: "pending", proposal: { state: "filled", content } });
    const answered = transition(filled, { type: "sent", answer: answer("accept") });
    expect(answered.proposal).toBeUndefined();
    expect(transition(answered, { type: "proposed", proposal: { state: "asking" } })).toBe(answered);
  });

  it("contains whether its status is being read", () => {
    const checking = transition(fresh, { type: "checking" });
    expect(checking).toEqual({ ...fresh, checking: true });
    expect(transition(checking, { type: "checking" })).toBe(checking);
    expect(transition(checking, { type: "unchecked" })).toEqual(fresh);
    expect(transition(fresh, { type: "unchecked" })).toBe(fresh);
    expect(transition(checking, reported("pending"))).toEqual(fresh);
    expect(transition(checking, reported("consented")).checking).toBeUndefined();
    expect(transition(checking, reported("expired")).checking).toBeUndefined();
  });

  it("contains an error that only a status read reports, once", () => {
    const failed = transition(fresh, reported("pending", "Access denied"));
    expect(failed).toEqual({ ...fresh, notice: { code: "provider-error", detail: "Access denied" } });
    expect(transition(failed, reported("pending", "Access denied"))).toBe(failed);
    expect(transition(failed, reported("pending", "Try later")).notice?.detail).toBe("Try later");
    expect(transition(failed, reported("pending"))).toBe(failed);
  });

  it("gets its progress from a status read", () => {
    const completed = transition(fresh, reported("completed", "Access denied"));
    expect(completed.request).toEqual({
      ...urlRequest,
      progress: { status: "completed", lastError: "Access denied" },
    });
    expect(completed.notice?.detail).toBe("Access denied");
  });

  it("contains a new error even if the progress is the same, and loses it when the user tries again", () => {
    const consented = (lastError?: string): ElicitationEvent => ({
      type: "received",
      request: { ...urlRequest, progress: { status: "consented", lastError } },
    });
    const first = transition(fresh, consented("Access denied"));
    expect(transition(first, consented("Access denied"))).toBe(first);
    const second = transition(first, consented("Try later"));
    expect(second.notice?.detail).toBe("Try later");
    expect(transition(second, consented()).notice).toBeUndefined();
    expect(transition({ ...second, notice: offline }, consented()).notice).toBe(offline);
  });

  it("ignores events for a request that the server does not know, unless it has ended", () => {
    const [gone] = examples["gone"]!;
    const progress = { ...urlRequest, progress: { status: "consented", lastError: "x" } } as const;
    for (const event of [
      { type: "checking" },
      { type: "missing" },
      { type: "received", request: progress },
      reported("pending", "Access denied"),
      reported("consented"),
    ] as const) {
      expect(transition(gone!, event)).toBe(gone);
    }
  });

  const bo = { name: "Bo" };

  it.each([
    { round: { id: "r1", size: 2 } },
    { assignee: bo },
    { from: bo },
    { giveOn: true },
    { expiresAt: AT },
  ])("while it is open, gets $0 from a later message, and no other question", (change) => {
    const form = createItem("c1", formRequest);
    const later = {
      type: "received",
      request: { ...formRequest, message: "Your card?", ...change },
    } as const;
    const changed = transition(form, later);
    expect(changed).toEqual({ ...form, request: { ...formRequest, ...change } });
    expect(transition(changed, later)).toBe(changed);
  });

  it("is as before when another user's form comes back to this one, who has given it on", () => {
    const mine = { ...formRequest, from: bo, giveOn: true };
    const inspection = {
      fields: [],
      takesNote: true,
      takesSentence: true,
      canRemember: true,
      canCarry: true,
    };
    const form = createItem("c1", mine, inspection);
    const gone = transition(form, { type: "missing" });
    const passed = { ...mine, giveOn: undefined, assignee: bo };
    expect(transition(gone, { type: "received", request: passed })).toEqual({ ...gone, request: passed });
    expect(transition(gone, { type: "received", request: mine })).toEqual(form);
    const page = createItem("c1", { ...urlRequest, from: bo }, { opener: "kept" });
    const back = transition(transition(page, { type: "missing" }), {
      type: "received",
      request: page.request,
    });
    expect(back).toEqual(page);
  });

  it("contains that the user has cancelled at the provider, and not that of other errors", () => {
    const notice = { code: "provider-error", detail: "Cancelled" };
    for (const [byUser, told] of [
      [true, { ...notice, byUser: true }],
      [undefined, notice],
    ] as const) {
      const progress = { status: "pending", lastError: "Cancelled", byUser } as const;
      expect(createItem("c1", { ...urlRequest, progress }).notice).toStrictEqual(told);
    }
  });

  it("gets more time from a status read, only later and only if the user can get it", () => {
    const minute = (n: number) => `2026-11-21T12:0${n}:00Z`;
    const limited = { ...formRequest, expiresAt: minute(2) };
    const form = createItem("c1", { ...limited, extendableUntil: minute(9) });
    const until = (expiresAt: string): ElicitationEvent => ({
      type: "reported",
      report: { elicitationId: "e1", status: "pending", expiresAt, now: AT },
    });
    expect(transition(form, until(minute(4)))).toEqual({
      ...form,
      request: { ...form.request, expiresAt: minute(4) },
    });
    for (const same of [minute(1), minute(2)]) expect(transition(form, until(same))).toBe(form);
    const fixed = createItem("c1", limited);
    expect(transition(fixed, until(minute(4)))).toBe(fixed);
  });

  it("keeps what a receipt shows, and no way to answer", () => {
    const blocked = { kind: "url", reasons: [] } as const;
    const shown = { fields: [], canRemember: true, opener: "kept" } as const;
    const ways = { takesNote: true, takesSentence: true, canCarry: true };
    const ended = transition(createItem("c1", urlRequest, { ...shown, ...ways }), reported("withdrawn"));
    const end = { id: "e1", conversationId: "c1", request: urlRequest, status: "withdrawn" };
    expect(ended).toEqual({ ...end, ...shown });
    expect(transition(createItem("c1", urlRequest, { blocked }), reported("withdrawn"))).toEqual({
      ...end,
      blocked,
    });
  });

  it("contains that this client left the decision to the agent, if that ended the request", () => {
    const delegating = { ...answer("accept"), delegated: true } as const;
    const form = createItem("c1", formRequest);
    const sending = transition(form, { type: "sent", answer: delegating });
    expect(transition(sending, reported("accepted")).delegated).toBe(true);
    expect(transition(sending, reported("withdrawn")).delegated).toBeUndefined();
    const held = transition(form, { type: "held", answer: delegating });
    expect(transition(held, reported("accepted")).delegated).toBeUndefined();
  });

  it("tells that its conversation has the same question again, only after its end", () => {
    for (const item of Object.values(examples).flat()) {
      const again = transition(item, { type: "asked-again" });
      if (isOpen(item)) expect(again).toBe(item);
      else expect(again).toEqual({ ...item, askedAgain: true });
      expect(transition(again, { type: "asked-again" })).toBe(again);
    }
  });

  it("takes no answer while another user decides", () => {
    const theirs = createItem("c1", { ...formRequest, assignee: bo });
    expect(transition(theirs, { type: "sent", answer: answer("decline") })).toBe(theirs);
  });

  it("contains that the user is no longer signed in", () => {
    const refused = transition(sent, receipt({ kind: "refused", status: 401, message: "Sign in" }));
    expect(refused.notice).toEqual({ code: "signed-out", detail: "Sign in" });
  });

  it("keeps the URL that the user has seen, even if a later message has another one", () => {
    const later = { ...urlRequest, url: "https://evil.example/", progress: { status: "consented" } } as const;
    expect(transition(fresh, { type: "received", request: later }).request.url).toBe(urlRequest.url);
  });

  it("is never accepted for a blocked request", () => {
    const [blocked] = examples["blocked"]!;
    expect(transition(blocked!, { type: "sent", answer: answer("accept") })).toBe(blocked);
    expect(transition(blocked!, { type: "sent", answer: answer("decline") }).status).toBe("submitting");
  });

  it("contains the provider's error, and stays open", () => {
    const failed = { ...urlRequest, progress: { status: "consented", lastError: "Access denied" } } as const;
    const item = transition(examples["opened"]![0]!, { type: "received", request: failed });
    expect(item).toMatchObject({
      status: "opened",
      notice: { code: "provider-error", detail: "Access denied" },
    });
  });

  it("gets the server's field errors, and stays open", () => {
    const form = transition(createItem("c1", formRequest), { type: "sent", answer: answer("accept") });
    const errors = [{ field: "__proto__", code: "too-short", message: "Too short" }];
    const back = transition(form, receipt({ kind: "refused", status: 400, message: "Does not fit", errors }));
    expect(back.status).toBe("pending");
    expect(Object.hasOwn(back.fieldErrors ?? {}, "__proto__")).toBe(true);
    expect(back.notice).toEqual({ code: "refused", detail: "Does not fit" });
  });

  it("contains that a form was answered elsewhere, but not when this client answered it", () => {
    const form = createItem("c1", formRequest);
    const end = {
      type: "received",
      request: { ...formRequest, resolution: { outcome: "declined", at: AT } },
    } as const;
    expect(transition(form, end).notice).toEqual({ code: "answered-elsewhere" });
    const mine = transition(transition(form, { type: "sent", answer: answer("decline") }), end);
    expect(mine).toMatchObject({ status: "declined", action: "decline", notice: undefined });
    const page = transition(fresh, {
      ...end,
      request: { ...urlRequest, resolution: end.request.resolution },
    });
    expect(page).toMatchObject({ status: "declined", notice: undefined });
    expect(page.request.resolution).toEqual({ outcome: "declined", at: AT });
  });

  it("does not contain a held answer as the reason for the outcome", () => {
    const form = transition(createItem("c1", formRequest), {
      type: "held",
      answer: answer("decline"),
    });
    const ended = transition(form, reported("accepted"));
    expect(ended).toMatchObject({ status: "accepted", notice: { code: "answered-elsewhere" } });
    expect(ended.action).toBeUndefined();
  });

  it("is ended for a request that has ended in the history", () => {
    const ended = createItem("c1", { ...formRequest, resolution: { outcome: "expired", at: AT } });
    expect(ended).toMatchObject({ status: "expired", notice: undefined });
  });

  it("has a final outcome, in any order of events", () => {
    const anyEvent = fc.constantFrom(...Object.values(events).flat());
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.values(examples).flat()),
        fc.array(anyEvent),
        (start, sequence) => {
          let item = start;
          let end: ElicitationStatus | undefined;
          for (const event of sequence) {
            item = transition(item, event);
            if (end !== undefined) expect(item.status).toBe(end);
            else if (hasEnded(item.status)) end = item.status;
            expect(item.id).toBe("e1");
            if (item.status === "submitting" || item.status === "undelivered")
              expect(item.answer).toBeDefined();
            if (item.blocked !== undefined) expect(item.answer?.action).not.toBe("accept");
          }
        },
      ),
      { numRuns: RUNS },
    );
  });
});
