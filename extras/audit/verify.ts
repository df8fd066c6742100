import { type Decision, type ChainEnd, digestOf } from "./decision.ts";
import { type DecisionLog, unreadableRowOf } from "./log.ts";

const PAGE = 1000;

/** The result of {@link verifyDecisions}. */
export type Verification =
  | {
      readonly ok: true;
      /** `seq` of the first row that is kept. */
      readonly first: number;
      /**
       * Keep `seq` and `digest` in another place. Pass them as `anchor` to a later verification, which then requires this
       * row.
       */
      readonly seq: number;
      readonly digest: string;
      /** How many rows were checked. */
      readonly rows: number;
      /** The number of stored rows that have no place in the chain yet. They were not checked. */
      readonly waiting: number;
      /**
       * Whether all rows before `first` are known to be pruned by the log itself. `false`: this cannot be checked, because
       * the log was opened without its key, or is an export.
       */
      readonly isStartProven: boolean;
    }
  | {
      readonly ok: false;
      /** The row at which the chain breaks. */
      readonly seq: number;
      readonly problem: string;
    };

/**
 * Checks that no row of a log was changed, removed, added or moved since it was chained. `anchor`: the result of an
 * earlier verification, or of `head`. Keep it where users who can write to the log cannot write. With it, the check also
 * finds a log that was replaced as a whole.
 */
export async function verifyDecisions(
  log: DecisionLog,
  { anchor }: { readonly anchor?: ChainEnd | undefined } = {},
): Promise<Verification> {
  try {
    return await verify(log, anchor);
  } catch (error) {
    const seq = unreadableRowOf(error);
    if (seq === undefined) throw error;
    return broken(seq, "this row was changed, so that it cannot be read");
  }
}

async function verify(log: DecisionLog, anchor: ChainEnd | undefined): Promise<Verification> {
  // Read the head after the oldest row, because rows may be removed from the start in between.
  const [oldest] = await log.read({ limit: 1 });
  const head = await log.head();
  const first = oldest?.seq ?? head.first;
  if (first > head.first) return missing(head.first, first);
  if (head.isStartProven === false) return startUnproven(head.first);
  if (anchor !== undefined && anchor.seq < first - 1) {
    return olderThanLog(anchor.seq);
  }

  /** There is no row before the first one, so its `previous` cannot be checked. */
  let last: Last = { seq: first - 1, digest: undefined };
  let isAnchorSeen = false;
  let count = 0;
  let rows = await log.read({ limit: PAGE });
  while (rows.length > 0 && last.seq < head.seq) {
    const digests = await Promise.all(rows.map(digestOf));
    for (const [index, row] of rows.entries()) {
      if (row.seq > head.seq) break;
      const problem = await chainProblem(log, row, last);
      if (problem !== undefined) return problem;
      if (anchor?.seq === row.seq - 1) {
        if (anchor.digest !== row.previous) return otherThanAnchor(anchor.seq);
        isAnchorSeen = true;
      }
      last = { seq: row.seq, digest: digests[index] };
      count += 1;
    }
    rows = await log.read({ limit: PAGE, after: last.seq });
  }

  const { seq, digest = head.digest } = last;
  if (seq < head.seq) return missing(seq + 1, head.seq + 1);
  if (digest !== head.digest) return broken(seq, "this row was changed");
  if (anchor !== undefined && anchor.seq > seq) return missing(seq + 1, anchor.seq + 1);
  if (anchor?.seq === seq && anchor.digest !== digest) return otherThanAnchor(seq);
  // Pruning removed this row and the next one while earlier rows were being checked.
  if (anchor !== undefined && anchor.seq < seq && !isAnchorSeen) return olderThanLog(anchor.seq);
  const isStartProven = head.first === 1 || head.isStartProven === true;
  return { ok: true, first, seq, digest, rows: count, waiting: head.waiting, isStartProven };
}

/** The last row that was checked. `digest` is `undefined` before the first one. */
interface Last {
  readonly seq: number;
  readonly digest: string | undefined;
}

/** Returns what is wrong between a row and the row before it. */
async function chainProblem(log: DecisionLog, row: Decision, last: Last): Promise<Verification | undefined> {
  if (row.seq === last.seq + 1) {
    if (last.digest === undefined || row.previous === last.digest) return undefined;
    return broken(last.seq, `this row was changed, or the digest that row ${row.seq} has of it`);
  }
  if (row.seq <= last.seq) return broken(row.seq, "this row is not in its place");
  // Pruning may have removed rows since the last page was read.
  return (await log.head()).first >= row.seq ? undefined : missing(last.seq + 1, row.seq);
}

function missing(from: number, to: number): Verification {
  return broken(from, to - from === 1 ? "this row is missing" : `the rows ${from} to ${to - 1} are missing`);
}

function startUnproven(first: number): Verification {
  return broken(
    first,
    "the rows before this one were removed, and no proof under this key says that pruning did it",
  );
}

function olderThanLog(seq: number): Verification {
  return broken(
    seq,
    "this row of the anchor is older than the log keeps, so it can no longer be checked. Keep a newer anchor",
  );
}

function otherThanAnchor(seq: number): Verification {
  return broken(seq, "this row is not the one of the anchor: the log was written anew");
}

function broken(seq: number, problem: string): Verification {
  return { ok: false, seq, problem };
}
