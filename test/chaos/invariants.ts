import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import type { Hits } from "./faults.ts";
import { type Conversation, PATIENCE_MS } from "./user.ts";

/** A row for each effect of a tool. */
export const EFFECTS = "create table effects (turn_id text, message text, answer text)";

/** A turn does not run again after so many processes died while it worked. */
const MAX_DEATHS = 3;

/**
 * Waits until the turns of a conversation are closed. A user reads the last chunk before that. A process that is frozen,
 * killed or without the database in between delays the rest.
 */
export async function untilClosed(
  { id }: Conversation,
  once: <Result>(work: (client: Client) => Promise<Result>) => Promise<Result>,
): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const open = await once((client) =>
      client.query(
        "select from elicit_kit.turns where turn::jsonb->>'conversationId' = $1 and ended_at is null",
        [id],
      ),
    );
    if (open.rows.length === 0 || performance.now() > until) return;
    await sleep(200);
  }
}

/**
 * Returns violations in a conversation after its last turn has ended. `isGivenUp`: the turn ended with an error, because
 * so many processes were killed while they worked on it.
 */
export async function wrongIn(
  conversation: Conversation,
  hits: Hits,
  query: Client["query"],
): Promise<{ readonly wrong: readonly string[]; readonly isGivenUp: boolean }> {
  const { id, winners, doubles, hasEnded } = conversation;
  const wrong: string[] = doubles.map((texts) => `${id}: two answers were taken: ${texts}`);
  const turns = await query(
    `select id, ended_at is not null as ended, (select process from elicit_kit.runs r where r.turn_id = t.id) as process,
       (select string_agg(chunk, ' ' order by seq) from elicit_kit.log l where l.turn_id = t.id) as log
     from elicit_kit.turns t where turn::jsonb->>'conversationId' = $1 order by place`,
    [id],
  );
  const last = turns.rows.at(-1);
  if (!hasEnded || last === undefined) {
    wrong.push(`${id}: the turn has not ended: ${JSON.stringify(turns.rows)}`);
    return { wrong, isGivenUp: false };
  }
  for (const { id: turnId, ended } of turns.rows) if (ended !== true) wrong.push(`${id}: ${turnId} is open`);
  const log = String(last.log);
  const ends = log.match(/"type":"(?:finish|abort|error)"/g) ?? [];
  const isGivenUp = log.includes("stopped unexpectedly") && (hits.get(last.id) ?? 0) >= MAX_DEATHS;
  if (ends.length !== 1 || ends[0] !== `"type":"${isGivenUp ? "error" : "finish"}"`)
    wrong.push(
      `${id}: it ended with ${ends.join()} after ${hits.get(last.id) ?? 0} kills: ${log.slice(-300)}`,
    );
  if (!isGivenUp && !log.includes("All booked.")) wrong.push(`${id}: the last words are missing`);

  const records = await query("select record::jsonb as record from elicit_kit.records where turn_id = $1", [
    last.id,
  ]);
  const effects = await query(
    "select message, answer, count(*)::integer as times from effects where turn_id = $1 group by 1, 2",
    [last.id],
  );
  for (const { record } of records.rows) {
    const { elicitationId, message } = record.request;
    if (record.status !== "accepted" && !isGivenUp) wrong.push(`${id}: "${message}" is ${record.status}`);
    const done = effects.rows.filter((effect) => effect.message === message);
    if (done.length !== 1 && !(isGivenUp && done.length === 0))
      wrong.push(`${id}: "${message}" has ${done.length} effects`);
    for (const { answer } of done) {
      if (!String(answer).startsWith(`${message}|`))
        wrong.push(`${id}: "${message}" was done with "${answer}"`);
      const winner = winners.get(elicitationId);
      if (winner !== undefined && winner !== answer)
        wrong.push(`${id}: "${winner}" was taken and "${answer}" used`);
    }
  }
  if (records.rows.length !== 8 && !isGivenUp)
    wrong.push(`${id}: it has ${records.rows.length} requests of 8`);
  return { wrong, isGivenUp };
}
