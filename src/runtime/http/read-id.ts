/** Longest id that a client may choose. */
export const MAX_ID_LENGTH = 256;

export function isId(value: unknown): value is string {
  return typeof value === "string" && value.length > 0 && value.length <= MAX_ID_LENGTH;
}
