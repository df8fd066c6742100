/** The server breaks a rule. The message contains the expected and the actual value. */
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

/** Formats a value as JSON for a message, shortened if it is long. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

/** The cause of a `fetch` error in brackets, or an empty string. */
export function causeOf(error: unknown): string {
  return error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : "";
}
