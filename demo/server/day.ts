/** A day as people write it, such as "4 March 2027". `date` is `2027-03-04`. */
export function inWords(date: string, locale = "en-GB"): string {
  return new Date(date).toLocaleDateString(locale, { dateStyle: "long", timeZone: "UTC" });
}
