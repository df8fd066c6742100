import { userInfo } from "node:os";
import { Writable } from "node:stream";
import { ndJsonStream } from "@agentclientprotocol/sdk";
import { createAcpSurface } from "elicit-kit/acp/server";
import { type RunTurn, createRuntime } from "elicit-kit/runtime";

/**
 * Serves an agent over stdio, for editors that start it as a process. The protocol uses standard output, so nothing else
 * may write to it.
 */
export function serveAcpStdio(runTurn: RunTurn): void {
  const runtime = createRuntime({
    runTurn,
    // Without HTTP, the user is the owner of the process.
    authenticate: () => undefined,
    allowedOrigins: [],
    onError: console.error,
  });
  const acp = createAcpSurface({
    runtime,
    name: "planner",
    title: "Planner",
    onError: console.error,
  });
  const input = new ReadableStream<Uint8Array>({
    start(controller) {
      process.stdin.on("data", (bytes: Buffer) => controller.enqueue(bytes));
      process.stdin.on("end", () => controller.close());
    },
  });
  const stream = ndJsonStream(Writable.toWeb(process.stdout), input);
  const { closed } = acp.agentFor({ id: userInfo().username }).connect(stream);
  void closed.then(() => runtime.close());
}
