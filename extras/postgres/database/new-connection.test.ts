import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../../test/stages/listen.ts";
import { createPostgresPorts } from "../index.ts";

/** A message of PostgreSQL: its kind, the length of the rest, and the rest. */
function messageOf(kind: string, rest: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + rest.length);
  return Buffer.concat([Buffer.from(kind), length, rest]);
}

const AUTHENTICATED = messageOf("R", Buffer.alloc(4));
const READY = messageOf("Z", Buffer.from("I"));
const TERMINATED = messageOf(
  "E",
  Buffer.from("SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0"),
);

test("a connection that PostgreSQL ends in the moment in which it is ready does not end the process", async () => {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    // In one packet, as a busy network delivers them: no code of the application runs in between.
    socket.once("data", () => socket.end(Buffer.concat([AUTHENTICATED, READY, TERMINATED])));
  });
  const { port, close } = await listen(server);
  onTestFinished(close);
  const starting = createPostgresPorts({
    connectionString: `postgres://elicit@127.0.0.1:${port}/postgres`,
    retryForMs: 0,
    onError: () => {},
  });
  await expect(starting).rejects.toThrow("elicit-kit: the connection to PostgreSQL was lost.");
});
