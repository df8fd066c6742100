/** A host name, in any script. */
const HOST = /^[\p{L}\p{M}\p{N}.-]+$/u;
const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

/**
 * A text as its format wants it, from how users type and paste it: without spaces around it, and a link or the host of a
 * mail address in ASCII. Browsers do the same in their own controls for these formats. A text that cannot be read so is
 * returned as it is.
 */
export function readTypedText(format: string | undefined, typed: string): string {
  if (format !== "email" && format !== "uri") return typed;
  const text = typed.trim();
  if (isAscii(text)) return text;
  if (format === "uri") return URL.canParse(text) ? new URL(text).href : text;
  const at = text.lastIndexOf("@") + 1;
  const host = text.slice(at);
  const url = `https://${host}`;
  return at > 0 && HOST.test(host) && URL.canParse(url) ? text.slice(0, at) + new URL(url).hostname : text;
}
