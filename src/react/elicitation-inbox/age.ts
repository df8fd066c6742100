const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const UNITS = [
  ["day", DAY_MS],
  ["hour", HOUR_MS],
  ["minute", MINUTE_MS],
] as const;
const TICK_MS = 30_000;

/** The age in the largest unit that fits: `2 min`. Below a minute, the word for "now". */
export function ageText(ageMs: number, locale: string): string {
  const fitting = UNITS.find(([, length]) => ageMs >= length);
  if (fitting === undefined)
    return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(0, "second");
  const [unit, length] = fitting;
  const format = new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "short" });
  return format.format(Math.floor(ageMs / length));
}

/** The current time for ages. It stays the same for half a minute, because React reads it repeatedly. */
export const coarseNow = (): number => Math.ceil(Date.now() / TICK_MS) * TICK_MS;

/** Calls `listener` whenever `coarseNow` may have changed. Returns a function that removes the listener. */
export function onTick(listener: () => void): () => void {
  const timer = setInterval(listener, TICK_MS);
  return () => clearInterval(timer);
}
