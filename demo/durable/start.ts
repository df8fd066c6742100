import { createInterface } from "node:readline";
import { wishedPorts } from "../server/ports.ts";
import { type DemoEnvironment, showAddresses } from "../server/addresses.ts";
import { reportError } from "../server/report-error.ts";
import { startServices } from "../server/services.ts";
import { loadState, stateFolder } from "../server/state.ts";
import { startDatabase } from "./database.ts";
import type { Settings } from "./messages.ts";
import { createProcesses } from "./processes.ts";
import { startProxy } from "./proxy.ts";

/** The demo's processes, by their numbers. */
const NUMBERS = [1, 2];

/**
 * Starts the demo in two processes behind a proxy, with all state in PostgreSQL, so that either process may be killed.
 * Returns a function that stops it.
 */
export async function startDurable(env: DemoEnvironment): Promise<() => Promise<void>> {
  const ports = wishedPorts(env);
  const state = await loadState(stateFolder(env, ports));
  const database = await startDatabase(env, state.folder);
  const processes = createProcesses({
    settings: () => settings,
    env,
    onTurn: (number, { user }) => say(`process ${number} runs a turn of ${user}`),
    onEnd: (number) => say(`process ${number} has ended. Type ${number} and Enter to start it again`),
  });
  const proxy = await startProxy({ ports, running: processes.ports });
  const { origins } = proxy;
  const services = await startServices({ ports, state, origins });
  const { close: closeServices, ...addresses } = services;
  const settings: Settings = {
    databaseUrl: database.url,
    origins,
    services: addresses,
    keys: state.keys,
  };
  await Promise.all(NUMBERS.map((number) => processes.start(number)));

  showAddresses({
    env,
    origins,
    services,
    more: [`database ${database.description}`],
  });
  const pids = NUMBERS.map((number) => `  process ${number}  kill -9 ${processes.pid(number)}`);
  console.log(`  Each request goes to the next of ${NUMBERS.length} processes. End one while a card waits, and answer the card:

${pids.join("\n")}

  Or type its number and press Enter: that kills a process, or starts it again.

  ${whatStays(env, state.folder)}
`);

  async function toggle(number: number): Promise<void> {
    if (processes.isRunning(number)) return processes.kill(number);
    await processes.start(number);
    say(`process ${number} runs again: kill -9 ${processes.pid(number)}`);
  }
  const input = createInterface({ input: process.stdin });
  input.on("line", (line) => {
    const number = NUMBERS.find((one) => String(one) === line.trim());
    if (number === undefined) say(`type one of ${NUMBERS.join(", ")}`);
    else void toggle(number).catch(reportError);
  });

  return async () => {
    input.close();
    await processes.stop();
    await Promise.all([proxy.close(), closeServices()]);
    await database.stop();
  };
}

function whatStays(env: DemoEnvironment, folder: string | undefined): string {
  if (folder === undefined) return "Nothing outlives Ctrl-C, because DEMO_STATE names no folder for it.";
  const database = env["DATABASE_URL"]
    ? " and the schemas elicit_kit and elicit_kit_demo of DATABASE_URL"
    : "";
  return `Cards that wait outlive Ctrl-C, too: end it while one waits, start it again, and answer in the same tab.
  To start fresh, end it and delete ${folder}${database}.`;
}

function say(line: string): void {
  console.log(`  ${line}`);
}
