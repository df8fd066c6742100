const DATE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const TIME = /^T([01]\d|2[0-3])(:[0-5]\d){2}(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** Whether a string is a day that exists: RFC 3339 `full-date`. */
export function isDate(value: string): boolean {
  const day = value.slice(8);
  // `Date` moves a day that its month does not have to the next one.
  return DATE.test(value) && (day < "29" || new Date(value).getUTCDate() === Number(day));
}

/**
 * Whether a string is a moment as the contract writes it: RFC 3339 `date-time` with a capital `T` and `Z`. Without leap
 * seconds, which `Date` cannot hold: every timestamp that passes can be compared with a clock.
 */
export function isTimestamp(value: string): boolean {
  return isDate(value.slice(0, 10)) && TIME.test(value.slice(10));
}
