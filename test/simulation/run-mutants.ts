/** `npm run test:long -- mutants`: puts faults into the code, one at a time. The histories must detect each of them. */
import { spawnSync } from "node:child_process";
import { MUTANTS } from "./mutants.ts";

/** A fault that this many histories do not find survives. */
const HISTORIES = process.env["HISTORIES"] ?? "10000";
const [only] = process.argv.slice(2);

let alive = 0;
for (const { name } of MUTANTS) {
  if (only !== undefined && !name.includes(only)) continue;
  const program = ["test/simulation/run.ts", "--first", "1", "--count", HISTORIES, "--until-failed"];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", "./test/simulation/mutate.ts", ...program],
    { env: { ...process.env, MUTANT: name }, encoding: "utf8" },
  );
  const found = stdout.split("\n").find((line) => line.startsWith("seed "));
  if (status !== 0 && found === undefined) throw new Error(stderr);
  if (found === undefined) alive += 1;
  console.log(
    `${found === undefined ? "ALIVE" : "dead "} ${name}\n      ${found ?? `${HISTORIES} histories found nothing`}`,
  );
}
console.log(alive === 0 ? "all mutants are dead" : `${alive} mutants live`);
process.exitCode = alive === 0 ? 0 : 1;
