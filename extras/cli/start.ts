#!/usr/bin/env node
import process from "node:process";

/**
 * This file loads nothing before it has checked the version of Node.js. An older version would fail with an unclear error
 * about an import.
 */
const OLDEST = [22, 12] as const;
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) {
  const { runCli } = await import("./cli.ts");
  process.exitCode = await runCli();
} else {
  process.stderr.write(
    `elicit-kit: this is Node.js ${process.versions.node}, and version ${OLDEST.join(".")} or newer is needed. Install it from https://nodejs.org and run the command again.\n`,
  );
  process.exitCode = 2;
}
