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
 * Measures the CPU microseconds per event early and late in the run, while many events affect many requests and a view
 * reads the identity of each snapshot. A growth above 1 means that later events cost more than earlier ones.
 */
export async function measureEvents(): Promise<{ first: number; last: number; growth: number }> {
  const client = createElicitationClient({ channel: new FakeChannel(), storage: null });
  await client.ready();
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
  // The first slice includes compilation, so the measurement starts with the second one.
  const first = slices[1]!;
  const last = slices.at(-1)!;
  return { first, last, growth: last / first };
}
