import { expect, test } from "vitest";
import { createTestDatabase, startPorts } from "../../test/stages/postgres-database.ts";
import { testTurn } from "../../test/stages/test-ports.ts";

test("ports report nothing when other processes take over turns while they close", async () => {
  const { url } = await createTestDatabase();
  for (let round = 0; round < 3; round += 1) {
    const [closing, other] = [await startPorts(url), await startPorts(url)];
    const turns = Array.from({ length: 20 }, () => testTurn());
    for (const turn of turns) {
      await closing.stream.open(turn, { replace: true });
      await closing.stream.lease(turn.turnId);
    }
    const taken = turns.map(({ turnId }) => other.stream.lease(turnId));
    await Promise.race(taken);
    await closing.close();
    await Promise.all(taken);
    expect(closing.errors).toEqual([]);
    await other.close();
  }
});
