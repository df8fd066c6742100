import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { DemoEnvironment } from "../server/addresses.ts";
import type { Message, Settings } from "./messages.ts";
import type { FacePorts } from "./proxy.ts";

/**
 * The program of a process. It is in the folder of this file, and also in the folder of the bundle that tests create.
 */
const PROGRAM = fileURLToPath(new URL(`process${extname(import.meta.url)}`, import.meta.url));
/** The maximum time that a process may take to end. */
const STOP_MS = 4000;

/** The processes of the demo. Each one has a number, which it keeps across restarts. */
export interface Processes {
  /** Starts the process with this number. Resolves when it accepts requests. */
  start: (number: number) => Promise<void>;
  /** Ends the process at once, like `kill -9`. */
  kill: (number: number) => void;
  isRunning: (number: number) => boolean;
  pid: (number: number) => number | undefined;
  /** The ports of the processes that accept requests. */
  ports: () => readonly FacePorts[];
  /** Asks all processes to end, and waits until they have ended. */
  stop: () => Promise<void>;
}

export function createProcesses({
  settings,
  env,
  onTurn,
  onEnd,
}: {
  settings: () => Settings;
  env: DemoEnvironment;
  /** Called when a process starts to run a turn. */
  onTurn: (number: number, turn: Extract<Message, { kind: "turn" }>) => void;
  /** Called when a process has ended unexpectedly. */
  onEnd: (number: number) => void;
}): Processes {
  interface Running {
    readonly child: ChildProcess;
    ports?: FacePorts | undefined;
  }
  const running = new Map<number, Running>();
  let isStopping = false;

  return {
    async start(number) {
      // Node would print a warning, because DBOS uses a deprecated call of `pg`.
      const execArgv = [...process.execArgv, "--disable-warning=DeprecationWarning"];
      const child = fork(PROGRAM, { env, execArgv });
      const one: Running = { child };
      running.set(number, one);
      child.once("exit", () => {
        if (running.get(number) === one) running.delete(number);
        if (!isStopping && one.ports !== undefined) onEnd(number);
      });
      const ended = once(child, "exit").then(([code]) => {
        throw new Error(`elicit-kit: process ${number} of the demo ended with ${code}. Its error is above.`);
      });
      const ready = new Promise<void>((resolve) => {
        child.on("message", (message: Message) => {
          if (message.kind === "turn") return onTurn(number, message);
          one.ports = message.ports;
          resolve();
        });
      });
      child.send(settings());
      // The promise may also reject later, when no code here awaits it.
      ended.catch(() => {});
      await Promise.race([ready, ended]);
    },
    kill: (number) => void running.get(number)?.child.kill("SIGKILL"),
    isRunning: (number) => running.has(number),
    pid: (number) => running.get(number)?.child.pid,
    ports: () => [...running.values()].flatMap(({ ports }) => ports ?? []),
    async stop() {
      isStopping = true;
      await Promise.all(
        [...running.values()].map(async ({ child }) => {
          const ended = once(child, "exit");
          child.kill("SIGTERM");
          const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
          await ended;
          clearTimeout(timer);
        }),
      );
    },
  };
}
