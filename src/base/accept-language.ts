/** Browsers do not send a longer header. */
const MAX_LENGTH = 1000;
const MAX_LANGUAGES = 10;
const TAG = /^[a-z]{1,8}(?:-[a-z0-9]{1,8})*$/i;

/** The languages of an `Accept-Language` header (RFC 9110, 12.5.4) as BCP 47 tags, best first. */
export function acceptedLanguages(header: string | null): readonly string[] {
  const ranges = (header ?? "").slice(0, MAX_LENGTH).split(",");
  return ranges
    .map((range) => {
      const [tag = "", ...parameters] = range.split(";").map((part) => part.trim());
      const quality = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2);
      return { tag, weight: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ tag, weight }) => weight > 0 && TAG.test(tag))
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, MAX_LANGUAGES)
    .map(({ tag }) => tag);
}

/** An `Accept-Language` header for BCP 47 tags, best first. `undefined` if there are none. */
export function acceptLanguage(languages: readonly string[]): string | undefined {
  const tags = languages.filter((tag) => TAG.test(tag)).slice(0, MAX_LANGUAGES);
  if (tags.length === 0) return undefined;
  return tags
    .map((tag, at) => (at === 0 ? tag : `${tag};q=${(1 - at / MAX_LANGUAGES).toFixed(1)}`))
    .join(", ");
}
