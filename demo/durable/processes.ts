import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { DemoEnvironment } from "../server/addresses.ts";
import type { Message, Settings } from "./messages.ts";
import type { FacePorts } from "./proxy.ts";

/** Beside this file, and beside the bundle of both that tests make. */
const PROGRAM = fileURLToPath(new URL(`process${extname(import.meta.url)}`, import.meta.url));
/** How long a process may take to end when it is asked to. */
const STOP_MS = 4000;

/** The processes of the demo. Each has a number, which it keeps when it is started again. */
export interface Processes {
  /** Starts the process with this number, and resolves when it takes requests. */
  start: (number: number) => Promise<void>;
  /** Ends it at once, as `kill -9` does. */
  kill: (number: number) => void;
  isRunning: (number: number) => boolean;
  pid: (number: number) => number | undefined;
  /** Of those that take requests. */
  ports: () => readonly FacePorts[];
  /** Asks all of them to end, and waits for that. */
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
  /** A process runs a turn. */
  onTurn: (number: number, turn: Extract<Message, { kind: "turn" }>) => void;
  /** A process has ended, and nobody had asked it to. */
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
      // DBOS calls `pg` in a way that it will no longer support one day.
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
      // It also ends later, when nobody waits for it here.
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
