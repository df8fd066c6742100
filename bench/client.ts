import { createElicitationClient } from "../src/client/create-client.ts";
import { FakeChannel } from "../src/client/testing/fake-channel.ts";
import type { ElicitationRequest } from "../src/contract/contract.ts";

const ELICITATIONS = 1_000;
const EVENTS = 100_000;
const SLICES = 10;

function request(n: number, step: number): ElicitationRequest {
  return {
    type: "elicitation-request",
    elicitationId: `e${n % ELICITATIONS}`,
    mode: "url",
    message: "Connect your account",
    url: "https://auth.example.com/connect",
    progress: { status: "consented", lastError: `try ${step}` },
  };
}

/**
 * CPU microseconds per event, early and late, when many events hit many requests while a view reads every snapshot's
 * identity. Growth above 1 would mean that later events cost more than earlier ones.
 */
export function measureEvents(): { first: number; last: number; growth: number } {
  const client = createElicitationClient({ channel: new FakeChannel(), storage: null });
  client.subscribe(() => undefined);
  const slices: number[] = [];
  for (let slice = 0; slice < SLICES; slice++) {
    const begin = process.cpuUsage();
    for (let i = 0; i < EVENTS / SLICES; i++) {
      const n = slice * (EVENTS / SLICES) + i;
      client.receive("c1", request(n, n));
    }
    const { user, system } = process.cpuUsage(begin);
    slices.push((user + system) / (EVENTS / SLICES));
  }
  client.dispose();
  // The first slice includes compilation, so the second one is the start.
  const first = slices[1]!;
  const last = slices.at(-1)!;
  return { first, last, growth: last / first };
}
