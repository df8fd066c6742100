/**
 * Decodes an international label: what follows `xn--`, in lower case. RFC 3492, section 6.2, whose parameters these are.
 * Nothing is checked on the way: input that is no Punycode throws a `RangeError` or comes out as any text, so ask a URL
 * parser whether the text encodes to the same label. Takes quadratic time, which the 63 characters of a label bound.
 */
export function decodePunycode(encoded: string): string {
  const delimiter = encoded.lastIndexOf("-");
  const output = encoded.slice(0, Math.max(delimiter, 0)).split("");
  let codePoint = 128;
  let position = 0;
  let bias = 72;
  for (let next = delimiter + 1; next < encoded.length;) {
    const start = position;
    let weight = 1;
    for (let k = 36; ; k += 36) {
      // a-z are the digits 0 to 25, 0-9 go on from there. Past the end it is NaN, which no code point is.
      const digit = (Number.parseInt(encoded[next++] ?? "", 36) + 26) % 36;
      const threshold = Math.min(Math.max(k - bias, 1), 26);
      position += digit * weight;
      if (!(digit >= threshold)) break;
      weight *= 36 - threshold;
    }
    const length = output.length + 1;
    bias = adapt(Math.floor((position - start) / (start === 0 ? 700 : 2)), length);
    codePoint += Math.floor(position / length);
    position %= length;
    output.splice(position++, 0, String.fromCodePoint(codePoint));
  }
  return output.join("");
}

/** Section 6.1: expects the next distance to be like the last one. */
function adapt(distance: number, length: number): number {
  let delta = distance + Math.floor(distance / length);
  let bias = 0;
  for (; delta > 455; bias += 36) delta = Math.floor(delta / 35);
  return bias + Math.floor((36 * delta) / (delta + 38));
}
