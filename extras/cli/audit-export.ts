import { readFile } from "node:fs/promises";
import { type Decision, digestOf } from "../audit/decision.ts";
import type { DecisionLog } from "../audit/log.ts";
import { isObject } from "../../src/contract/json.ts";
import { parseJson } from "../../src/contract/parse-json.ts";
import { KitError } from "../../src/contract/kit-error.ts";

/** What a terminal obeys or does not show. Names of tools and surfaces may come from strangers. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** A row as a line of JSON, with invisible characters as escapes: it reads the same, and has the same digest. */
export function lineOf(row: Decision): string {
  return `${JSON.stringify(row).replaceAll(UNSEEN, escaped)}\n`;
}

function escaped(sign: string): string {
  const unit = (_: unknown, index: number) => `\\u${sign.charCodeAt(index).toString(16).padStart(4, "0")}`;
  return Array.from({ length: sign.length }, unit).join("");
}

/** Reads an export as a log, so that it can be verified. Its first and last rows are those of the file. */
export async function readExport(file: string): Promise<DecisionLog> {
  const lines = (await readText(file)).split("\n").filter((line) => line.trim() !== "");
  const rows = lines.map((line, index) => readRow(line, `line ${index + 1} of ${file}`));
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) throw new KitError(`elicit-kit: ${file} has no rows.`);
  const head = { first: first.seq, seq: last.seq, digest: await digestOf(last), waiting: 0 };
  return {
    // Returns all rows at once, in the order of the file.
    read: async ({ after }) => (after === undefined ? rows : []),
    head: async () => head,
    prune: async () => 0,
  };
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new KitError(`elicit-kit: ${file} cannot be read: ${why}`, { cause: error });
  }
}

function readRow(line: string, where: string): Decision {
  const row = parseJson(line);
  if (isRow(row)) return row;
  throw new KitError(
    `elicit-kit: ${where} is not a row of a decision log. Give a file that audit export has written.`,
  );
}

/** The digest covers all other fields of the row. */
function isRow(value: unknown): value is Decision {
  return isObject(value) && typeof value["seq"] === "number" && typeof value["previous"] === "string";
}
