import { isDate, isTimestamp } from "../contract/timestamp.ts";

/** The four formats of MCP forms. Each follows the specification that defines it, and runs in linear time. */
export const FORMATS: Readonly<Record<"email" | "uri" | "date" | "date-time", (value: string) => boolean>> = {
  /** HTML, "valid email address": the format that `<input type=email>` accepts, so that control and check agree. */
  email: (value) => EMAIL.test(value),
  /** RFC 3986: an absolute URI with any scheme, such as `https:`, `urn:` or `mailto:`. */
  uri: isUri,
  /** RFC 3339 `full-date`, for a day that exists. */
  date: isDate,
  /** RFC 3339 `date-time`. */
  "date-time": isDateTime,
};

const EMAIL =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i;

// RFC 3986, appendix A: scheme, then an authority and its path or a path alone, then query and fragment.
const PART = "(?:[\\w.~!$&'()*+,;=-]|%[\\da-f]{2}";
const AUTHORITY = `//(?:${PART}|:)*@)?(\\[[\\da-f:.]+\\]|${PART})*)(?::\\d*)?(?=[/?#]|$)`;
const URI = new RegExp(
  `^[a-z][a-z\\d+.-]*:(?:${AUTHORITY}|(?!//))${PART}|[:@/])*(?:\\?${PART}|[:@/?])*)?(?:#${PART}|[:@/?])*)?$`,
  "i",
);

function isUri(value: string): boolean {
  const match = URI.exec(value);
  // The URL parser of the platform validates IPv6 addresses.
  return match !== null && (!match[1]?.startsWith("[") || URL.canParse(`http://${match[1]}`));
}

/** Accepts second 60 only at 23:59 UTC, the only time at which a leap second can occur. */
function isDateTime(value: string): boolean {
  const upper = value.toUpperCase();
  const ordinary = upper.replace(/^(.{17})60/, "$159");
  return (
    isTimestamp(ordinary) && (ordinary === upper || new Date(ordinary).toISOString().includes("T23:59:"))
  );
}
