/** The server breaks a rule. The message says what was expected and what came instead. */
export class Nonconformity extends Error {
  override readonly name = "Nonconformity";
}

/** The rule could not be checked. The message says what is missing. */
export class NotChecked extends Error {
  override readonly name = "NotChecked";
}

/** Throws a {@link Nonconformity} unless `condition` holds. */
export function ensure(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Nonconformity(message);
}

/** Throws a {@link Nonconformity} unless both values are the same JSON. */
export function ensureEqual(actual: unknown, expected: unknown, what: string): void {
  const [got, wanted] = [show(actual), show(expected)];
  ensure(got === wanted, `${what}: expected ${wanted}, got ${got}`);
}

/** A value as JSON for a message, shortened when it is long. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

/** What `fetch` says of a failure in the cause of its error, in brackets; else nothing. */
export function causeOf(error: unknown): string {
  return error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : "";
}
