/** A date-time draft in the form that the control shows: wall-clock time and offset from UTC. */
export interface DateTimeHalves {
  /** The value of `<input type="datetime-local">`: `2026-11-21T09:30`. */
  wall: string;
  /** `Z` or `+01:00`; empty while there is none. */
  offset: string;
}

const RFC_3339 = /^(\d{4,6}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)\d*(Z|[+-]\d\d:\d\d)?$/i;

/** Returns empty strings for text that is not a date-time. */
export function splitDateTime(draft: string): DateTimeHalves {
  const [, wall = "", offset = ""] = RFC_3339.exec(draft) ?? [];
  return { wall: wall.toUpperCase(), offset: offset.toUpperCase() };
}

/** Joins both to RFC 3339. Native inputs omit seconds of zero, but the format requires them. */
export function joinDateTime({ wall, offset }: DateTimeHalves): string {
  return wall === "" ? "" : `${wall}${/T\d\d:\d\d$/.test(wall) ? ":00" : ""}${offset}`;
}

/**
 * The offset of the local time zone at a wall-clock time, with the daylight saving time of that day. A time that the clocks
 * skip in spring has the offset before the change, and one that they repeat in autumn is the first of both (RFC 5545,
 * 3.3.5).
 */
export function localOffset(wall: string): string {
  // ECMAScript reads a date-time without offset as local time, by the same rule.
  const minutes = Math.round((Date.parse(`${wall}Z`) - new Date(wall).getTime()) / 60_000);
  if (Number.isNaN(minutes)) return "Z";
  const absolute = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${pad(Math.floor(absolute / 60))}:${pad(absolute % 60)}`;
}

const pad = (value: number): string => String(value).padStart(2, "0");

/** The IANA name of the local time zone, such as `Europe/Lisbon`. */
export function localZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
