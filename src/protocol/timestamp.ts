const TIMESTAMP = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** Whether a string is a day that exists: RFC 3339 `full-date`. */
export function isDate(value: string): boolean {
  const time = Date.parse(value);
  // An engine makes 30 February invalid, or the first of March.
  return (
    /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(value)
  );
}

/**
 * Whether a string is a moment as the contract writes it: RFC 3339 `date-time` with a capital `T` and `Z`. Without leap
 * seconds, which `Date` cannot hold: every timestamp that passes can be compared with a clock.
 */
export function isTimestamp(value: string): boolean {
  return TIMESTAMP.test(value) && isDate(value.slice(0, 10));
}
