/** A rule that the server breaks. The message says what was expected and what came. */
export class Nonconformity extends Error {
  override readonly name = "Nonconformity";
}

/** A rule that could not be looked at. The message says what is missing. */
export class NotChecked extends Error {
  override readonly name = "NotChecked";
}

/** Throws a {@link Nonconformity} unless `condition` holds. */
export function ensure(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Nonconformity(message);
}

/** Throws a {@link Nonconformity} unless both are the same JSON. */
export function ensureEqual(actual: unknown, expected: unknown, what: string): void {
  const [came, wanted] = [show(actual), show(expected)];
  ensure(came === wanted, `${what}: expected ${wanted}, got ${came}`);
}

/** A value as it stands in a message: JSON, cut where it gets long. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
