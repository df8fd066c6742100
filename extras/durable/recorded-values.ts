import { createHash } from "node:crypto";
import { KitError, isKitError } from "../../src/contract/kit-error.ts";

/** What was recorded: the result of a step, or the error that it threw. */
export type Outcome<Result = unknown> = { readonly value: Result } | { readonly error: unknown };

export async function outcomeOf<Result>(work: () => Promise<Result>): Promise<Outcome<Result>> {
  try {
    return { value: await work() };
  } catch (error) {
    return { error };
  }
}

export function valueOf<Result>(outcome: Outcome<Result>): Result {
  if ("error" in outcome) throw outcome.error;
  return outcome.value;
}

/** Shortens text that is only compared. */
export const digest = (text: string) => createHash("sha256").update(text).digest("base64url").slice(0, 22);

/** Marks an array that encodes a special value: `[TAG, kind, text]`. */
const TAG = "$elicit-kit";

/**
 * Writes an outcome as JSON that keeps dates, URLs, bytes, big integers and errors. An error keeps only its name, its
 * message, and whether it is an error of the kit.
 */
export function writeOutcome(outcome: Outcome): string {
  return JSON.stringify(encode(outcome));
}

/**
 * The longest outcome, in characters. DBOS encodes it as JSON once more. The result must stay below the limits of a
 * JavaScript string (512 MB) and a PostgreSQL value (1 GB).
 */
const MAX_LENGTH = 64 * 1024 * 1024;

/**
 * Like `writeOutcome`, but writes an error in place of an outcome that cannot be recorded. The next run of the turn gets
 * that error too, and does not repeat the effect.
 */
export function writeRecordable(outcome: Outcome, name: string): string {
  let text: string;
  try {
    text = writeOutcome(outcome);
  } catch (cause) {
    return writeOutcome({ error: unrecordable(name, "cannot be written as JSON, and so not", cause) });
  }
  if (text.length <= MAX_LENGTH) return text;
  const size = `has ${text.length} characters as JSON, and at most ${MAX_LENGTH} can be`;
  return writeOutcome({ error: unrecordable(name, size) });
}

function unrecordable(name: string, why: string, cause?: unknown): KitError {
  return new KitError(
    `elicit-kit: the result of "${name}" ${why} recorded. It was done, and its result is lost. Keep large results in a store of your own, and return where they are.`,
    { cause },
  );
}

/** Returns the outcome. Its type is the type of the value that was written under the same name. */
export function readOutcome(text: string) {
  return JSON.parse(text, (_key, value: unknown) => decode(value));
}

function encode(value: unknown): unknown {
  if (typeof value === "bigint") return [TAG, "bigint", `${value}`];
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Date) return [TAG, "date", value.getTime()];
  if (value instanceof URL) return [TAG, "url", value.href];
  if (value instanceof Uint8Array) return [TAG, "bytes", Buffer.from(value).toString("base64")];
  if (value instanceof Error) return [TAG, "error", value.name, value.message, isKitError(value)];
  if (Array.isArray(value)) {
    const items = value.map(encode);
    return value[0] === TAG ? [TAG, "array", ...items] : items;
  }
  if ("toJSON" in value && typeof value.toJSON === "function") return encode(value.toJSON());
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, encode(item)]));
}

/** Called from the innermost value outwards: items of an array are already decoded. */
function decode(value: unknown): unknown {
  if (!Array.isArray(value) || value[0] !== TAG) return value;
  const [, kind, ...rest]: unknown[] = value;
  const [first, second, third] = rest;
  switch (kind) {
    case "bigint":
      return BigInt(String(first));
    case "date":
      return new Date(typeof first === "number" ? first : Number.NaN);
    case "url":
      return new URL(String(first));
    case "bytes":
      return new Uint8Array(Buffer.from(String(first), "base64"));
    case "error":
      return Object.assign(third === true ? new KitError(String(second)) : new Error(String(second)), {
        name: String(first),
      });
    default:
      return rest;
  }
}
