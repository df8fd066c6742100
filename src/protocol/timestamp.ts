const TIME = /^T([01]\d|2[0-3])(:[0-5]\d){2}(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** Whether a string is a day that exists: RFC 3339 `full-date`. */
export function isDate(value: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(value)) return false;
  const [year, month, day] = [Number(value.slice(0, 4)), Number(value.slice(5, 7)), Number(value.slice(8))];
  const leap = year % (year % 100 === 0 ? 400 : 4) === 0;
  // Long and short months take turns, and again from August on.
  const days = month === 2 ? (leap ? 29 : 28) : 30 + ((month + (month >> 3)) % 2);
  return month > 0 && month < 13 && day > 0 && day <= days;
}

/**
 * Whether a string is a moment as the contract writes it: RFC 3339 `date-time` with a capital `T` and `Z`. Without leap
 * seconds, which `Date` cannot hold: every timestamp that passes can be compared with a clock.
 */
export function isTimestamp(value: string): boolean {
  return isDate(value.slice(0, 10)) && TIME.test(value.slice(10));
}
