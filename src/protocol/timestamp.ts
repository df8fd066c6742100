const TIME = /^T([01]\d|2[0-3])(:[0-5]\d){2}(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** Whether a string is a day that exists: RFC 3339 `full-date`. */
export function isDate(value: string): boolean {
  // An engine makes 30 February invalid, or the first of March; a year of more than four digits has a longer text.
  return value.length === 10 && JSON.stringify(new Date(value)).startsWith(`"${value}T`);
}

/**
 * Whether a string is a moment as the contract writes it: RFC 3339 `date-time` with a capital `T` and `Z`. Without leap
 * seconds, which `Date` cannot hold: every timestamp that passes can be compared with a clock.
 */
export function isTimestamp(value: string): boolean {
  return isDate(value.slice(0, 10)) && TIME.test(value.slice(10));
}
