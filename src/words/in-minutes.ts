const MINUTE_MS = 60_000;

/** "in 8 minutes", in the language of `locale`. */
export function inMinutes(ms: number, locale: string): string {
  return new Intl.RelativeTimeFormat(locale).format(Math.max(1, Math.ceil(ms / MINUTE_MS)), "minute");
}
