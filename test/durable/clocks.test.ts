import { expect, test } from "vitest";
import { createTestDatabase } from "../stages/postgres-database.ts";
import { answer, startServer } from "./server-process.ts";

/** Sets the clock of a process, like a machine without NTP. */
function clockAt(offsetMs: number): { nodeArgs: string[] } {
  const script = `const now = Date.now; Date.now = () => now() + ${offsetMs};`;
  return { nodeArgs: ["--import", `data:text/javascript,${encodeURIComponent(script)}`] };
}

/** Advances the clock of a process by an hour when it gets SIGUSR2, like a machine whose clock is corrected. */
function clockThatJumps(): { nodeArgs: string[] } {
  const script = `
    const now = Date.now;
    process.on("SIGUSR2", () => {
      Date.now = () => now() + 3_600_000;
      process.stderr.write("The clock has jumped.");
    });`;
  return { nodeArgs: ["--import", `data:text/javascript,${encodeURIComponent(script)}`] };
}

const FIVE_MINUTES = 5 * 60_000;

test(
  "processes whose clocks are five minutes apart expire a request at the same time",
  { tags: ["long"] },
  async () => {
    const { url } = await createTestDatabase();
    const [fast, slow] = await Promise.all([
      startServer(url, clockAt(FIVE_MINUTES)),
      startServer(url, clockAt(-FIVE_MINUTES)),
    ]);
    for (const [home, other] of [
      [fast, slow],
      [slow, fast],
    ] as const) {
      const id = `hurry-${home.child.pid}`;
      const missed = await home.ada.send(id);
      const { elicitationId } = await missed.request();
      const status = async () => {
        const reply = await other.ada.fetch(`/run/api/elicitations/${elicitationId}`);
        return (await reply.json()).status;
      };
      expect(await status()).toBe("pending");
      await missed.done;
      expect(missed.chunks).toContainEqual(expect.objectContaining({ delta: "expired" }));
      expect(await status()).toBe("expired");

      const answered = await home.ada.send(id);
      const next = await answered.request();
      const reply = await other.ada.answer(id, { elicitationId: next.elicitationId, ...answer("Ada") });
      expect(reply.status).toBe(200);
      await answered.done;
      expect(answered.chunks).toContainEqual(expect.objectContaining({ delta: "Ada" }));
    }
    expect([...fast.log, ...slow.log]).toEqual([]);
  },
);

test(
  "a request does not expire early in a process whose clock jumps forward",
  { tags: ["long"] },
  async () => {
    const { url } = await createTestDatabase();
    // It compares its clock with the database's only at the start.
    const server = await startServer(url, { ...clockThatJumps(), sweepMs: 600_000 });
    const stream = await server.ada.send("c1");
    const { elicitationId } = await stream.request();
    server.child.kill("SIGUSR2");
    await expect.poll(() => server.log.join("")).toBe("The clock has jumped.");
    const reply = await server.ada.answer("c1", { elicitationId, ...answer("Ada") });
    expect(reply.status).toBe(200);
    await stream.done;
    expect(stream.chunks).toContainEqual(expect.objectContaining({ delta: "Ada" }));
  },
);
