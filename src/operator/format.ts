/**
 * These functions format values for the page. It is in English and UTC, because it does not know the language or time
 * zone of the operator.
 */

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A duration: "38 s", "10 min", "3 h". */
export function spanOf(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 2 * MINUTE) return `${seconds} s`;
  if (seconds < 2 * HOUR) return `${Math.round(seconds / MINUTE)} min`;
  if (seconds < 2 * DAY) return `${Math.round(seconds / HOUR)} h`;
  return `${Math.round(seconds / DAY)} days`;
}

/** A time: "14:20:07" for today, "27 Nov 14:20" for another day. */
export function timeOf(ms: number, now: number): string {
  const [day = "", time = ""] = new Date(ms).toISOString().split("T");
  const [today] = new Date(now).toISOString().split("T");
  if (day === today) return time.slice(0, 8);
  const month = new Date(ms).toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
  return `${month} ${time.slice(0, 5)}`;
}

/** A number with thin spaces between thousands, and a plus if counting stopped there. */
export function countOf(count: number, most = Number.POSITIVE_INFINITY): string {
  const digits = String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, "\u2009");
  return count >= most ? `${digits}+` : digits;
}

/** The first characters of a digest, enough to compare two by eye. */
export function shortDigest(hex: string): string {
  return `${hex.slice(0, 4)}…${hex.slice(-4)}`;
}

export function medianOf(numbers: readonly number[]): number | undefined {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
