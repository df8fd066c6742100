/** The texts in the first of these languages that has some. `languages` are BCP 47 tags, best first. */
export function inLanguageOf<Words>(
  languages: readonly string[],
  all: Readonly<Record<string, Words>>,
  otherwise: Words,
): Words {
  const known = languages.map((tag) => tag.split("-")[0]?.toLowerCase() ?? "");
  return all[known.find((tag) => Object.hasOwn(all, tag)) ?? ""] ?? otherwise;
}
