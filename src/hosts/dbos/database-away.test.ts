import { expect, test } from "vitest";
import { createDeferred } from "../../base/deferred.ts";
import type { RunTurn } from "../../runtime/index.ts";
import { createDbosProcesses } from "../../../test/stages/dbos-processes.ts";
import { createSqlProxy } from "../../../test/stages/sql-proxy.ts";
import { CITY, text } from "../../../test/stages/test-runtime.ts";

const WHEN = ["it writes", "it asks"] as const;

test.each(WHEN)(
  "the database is away for longer than calls are tried again while %s: the turn continues when it is back, and repeats no step",
  async (when) => {
    const { startProcess, query, url } = await createDbosProcesses();
    const network = await createSqlProxy(url);
    const goOn = createDeferred<void>();
    let times = 0;
    const runTurn: RunTurn = async function* run(turn) {
      yield { type: "start", messageId: turn.id };
      await turn.runner.step("book", async () => void (times += 1));
      await goOn.promise;
      if (when === "it asks") yield* text(`${(await turn.ask(CITY)).outcome}.`);
      yield* text("Booked.");
    };
    const { ada, portErrors } = await startProcess(runTurn, {
      connectionString: network.url,
      retryForMs: 300,
    });
    const before = await ada.send("c1");
    before.done.catch(() => {});
    await expect.poll(() => times).toBe(1);
    network.cut();
    goOn.resolve();
    // One of them is of the connection for notifications, which is lost at once.
    const given = () => portErrors.length;
    await expect.poll(given).toBeGreaterThan(2);
    network.open();

    const log = async () =>
      (await query("select chunk::json as chunk from elicit_kit.log order by seq")).rows.map(
        ({ chunk }) => chunk,
      );
    if (when === "it asks") {
      const asked = async () => (await log()).find(({ id, data }) => id === data?.elicitationId && id);
      await expect.poll(asked).toBeDefined();
      const { id: elicitationId } = (await asked()) ?? {};
      await ada.answer("c1", { elicitationId, action: "decline" });
    }
    await expect.poll(async () => (await log()).at(-1)?.type).toMatch(/^(finish|error|abort)$/);
    const chunks = await log();
    expect(chunks.at(-1)).toEqual({ type: "finish" });
    expect(chunks.map(({ delta = "" }) => delta).join("")).toBe(
      when === "it asks" ? "declined.Booked." : "Booked.",
    );
    expect(times).toBe(1);
  },
);
