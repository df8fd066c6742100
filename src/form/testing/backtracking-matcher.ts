/**
 * A second parser for patterns, for tests only: an engine that backtracks as JavaScript's engines do, in the same order,
 * and counts its steps. It shares no code with `linear-pattern.ts`, so that it does not repeat a mistake there.
 */
export type Pattern =
  | { kind: "set"; source: string }
  | { kind: "edge"; source: "^" | "$" | "\\b" }
  | { kind: "sequence" | "alternatives"; parts: readonly Pattern[] }
  | { kind: "repeat"; part: Pattern; least: number; most: number; lazy?: boolean };

/** Two escapes that stand for one character, any other escape, a set, or one character. */
const ONE =
  /\\u[dD][89a-bA-B]..\\u[dD][c-fC-F]..|\\u\{[^}]*\}|\\u....|\\x..|\\[pP]\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])*\]|./suy;
const QUANTIFIER = /([*+?]|\{(\d+)(,?)(\d*)\})(\??)/y;

/** Reads a pattern of characters, sets, `^`, `$`, `\b`, groups, alternatives and quantifiers. Throws at anything else. */
export function parsePattern(source: string): Pattern {
  let at = 0;
  function take(token: RegExp): RegExpExecArray | null {
    token.lastIndex = at;
    const found = token.exec(source);
    if (found !== null) at = token.lastIndex;
    return found;
  }
  function alternatives(): Pattern {
    const first = sequence();
    const parts = [first];
    while (take(/\|/y)) parts.push(sequence());
    return parts.length === 1 ? first : { kind: "alternatives", parts };
  }
  function sequence(): Pattern {
    const parts: Pattern[] = [];
    while (at < source.length && !"|)".includes(source.charAt(at))) parts.push(quantified(atom()));
    return { kind: "sequence", parts };
  }
  function atom(): Pattern {
    if (take(/\((?:\?:|\?<[a-z]+>|(?!\?))/iy)) {
      const inner = alternatives();
      if (!take(/\)/y)) throw new Error(`no end of the group in ${source}`);
      return inner;
    }
    const one = take(ONE)?.[0] ?? "";
    if (/^(?:\\[1-9k]|[(*+?{])/.test(one)) throw new Error(`${one} is not read, in ${source}`);
    return one === "^" || one === "$" || one === "\\b"
      ? { kind: "edge", source: one }
      : { kind: "set", source: one };
  }
  function quantified(part: Pattern): Pattern {
    const found = take(QUANTIFIER);
    if (found === null) return part;
    const [, all = "", least = "", comma, most, lazy] = found;
    const bounds = { "*": [0, Infinity], "+": [1, Infinity], "?": [0, 1] }[all];
    const [from = 0, to = 0] = bounds ?? [Number(least), comma ? Number(most || Infinity) : Number(least)];
    return { kind: "repeat", part, least: from, most: to, lazy: lazy === "?" };
  }
  const pattern = alternatives();
  if (at < source.length) throw new Error(`${source.slice(at)} is left over`);
  return pattern;
}

/** The default limit for counting. */
export const STEP_LIMIT = 500_000;

/** Returns the number of steps for a search through `text`, or `limit` if it is reached, and whether the text matches. */
export function countSteps(
  pattern: Pattern,
  text: string,
  limit = STEP_LIMIT,
): { steps: number; found: boolean } {
  const characters = Array.from(text);
  const isIn = new Map<string, boolean>();
  let steps = 0;

  function holds(source: string, character: string): boolean {
    const key = `${source} ${character}`;
    const known = isIn.get(key) ?? new RegExp(`^${source}$`, "su").test(character);
    // A dot does not match a line end.
    const answer = known && !(source === "." && /[\n\r\u2028\u2029]/.test(character));
    isIn.set(key, answer);
    return answer;
  }
  function isWord(at: number): boolean {
    return /^\w$/.test(characters[at] ?? "");
  }
  function match(piece: Pattern, at: number, next: (at: number) => boolean): boolean {
    if (++steps >= limit) return true;
    switch (piece.kind) {
      case "set": {
        const character = characters[at];
        return character !== undefined && holds(piece.source, character) && next(at + 1);
      }
      case "edge": {
        const place = piece.source === "^" ? at === 0 : at === characters.length;
        return (piece.source === "\\b" ? isWord(at - 1) !== isWord(at) : place) && next(at);
      }
      case "sequence": {
        const from = (index: number, start: number): boolean => {
          const part = piece.parts[index];
          return part === undefined ? next(start) : match(part, start, (end) => from(index + 1, end));
        };
        return from(0, at);
      }
      case "alternatives":
        return piece.parts.some((part) => match(part, at, next));
      case "repeat": {
        const { part, least, most, lazy } = piece;
        const round = (done: number, start: number): boolean => {
          const again = (): boolean =>
            done < most && match(part, start, (end) => (end > start || done < least) && round(done + 1, end));
          if (done < least) return again();
          return lazy ? next(start) || again() : again() || next(start);
        };
        return round(0, at);
      }
    }
  }

  let found = false;
  for (let start = 0; start <= characters.length && !found; start += 1) {
    found = match(pattern, start, () => true);
  }
  return { steps, found: found && steps < limit };
}
