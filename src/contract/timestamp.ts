const DATE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const TIME = /^T([01]\d|2[0-3])(:[0-5]\d){2}(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** Whether a string is an existing day: RFC 3339 `full-date`. */
export function isDate(value: string): boolean {
  const day = value.slice(8);
  // `Date` rolls a day that does not exist over to the next month.
  return DATE.test(value) && (day < "29" || new Date(value).getUTCDate() === Number(day));
}

/**
 * Whether a string is a timestamp of the contract: RFC 3339 `date-time` with a capital `T` and `Z`. Leap seconds are not
 * allowed, because `Date` cannot hold them. Every valid timestamp can be compared with a clock.
 */
export function isTimestamp(value: string): boolean {
  return isDate(value.slice(0, 10)) && TIME.test(value.slice(10));
}
