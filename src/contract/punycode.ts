/**
 * Decodes an international label: the part after `xn--`, in lower case (RFC 3492, section 6.2, with its parameters). Does
 * not check the input: invalid Punycode throws a `RangeError` or gives any text, so let a URL parser encode the result
 * and compare. Takes quadratic time; a label has at most 63 characters.
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
      // a-z are the digits 0 to 25, 0-9 are 26 to 35. Past the end the result is NaN, which is not a code point.
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

/** Section 6.1: adapts to the size of the last distance. */
function adapt(distance: number, length: number): number {
  let delta = distance + Math.floor(distance / length);
  let bias = 0;
  for (; delta > 455; bias += 36) delta = Math.floor(delta / 35);
  return bias + Math.floor((36 * delta) / (delta + 38));
}
