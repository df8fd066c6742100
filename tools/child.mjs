import { spawn } from "node:child_process";
import { constants } from "node:os";

const FORWARDED = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);

/**
 * Runs a program to its end and forwards signals to it. Stopping a script therefore also stops its programs, and the
 * script waits until they have cleaned up.
 *
 * A program may receive the same signal several times: from here, from npm and from the terminal.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, quiet?: boolean }} options `quiet` keeps the output for the caller
 * instead of showing it.
 * @returns {Promise<{ code: number, output: string, interrupted: boolean }>} `code` is 128 + n after signal n. Rejects
 * when the program cannot be started.
 */
export function run(command, args, { cwd, env = process.env, quiet = false }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: quiet ? ["ignore", "pipe", "pipe"] : "inherit" });
    let output = "";
    let interrupted = false;
    const keep = (/** @type {Buffer} */ chunk) => void (output += chunk.toString());
    child.stdout?.on("data", keep);
    child.stderr?.on("data", keep);
    const forward = (/** @type {NodeJS.Signals} */ signal) => {
      interrupted = true;
      child.kill(signal);
    };
    const release = () => FORWARDED.forEach((signal) => process.off(signal, forward));
    FORWARDED.forEach((signal) => process.on(signal, forward));
    child.on("error", (error) => {
      release();
      reject(error);
    });
    child.on("close", (code, signal) => {
      release();
      resolve({ code: code ?? 128 + (signal === null ? 0 : constants.signals[signal]), output, interrupted });
    });
  });
}
