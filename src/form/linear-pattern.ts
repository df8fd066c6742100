import { LONGEST_TEXT } from "./check-value.ts";

/**
 * Whoever writes a schema writes its patterns, and they run over whatever somebody types: a pattern that backtracks can
 * hang a page or a server. So a pattern is run only when it is built from the few parts that are known here (`TOKEN`)
 * and keeps three rules:
 *
 * 1. Inside a repeat without an upper bound, and where it ends, the next character alone decides how to go on: no two
 *    alternatives begin with the same character, and what is repeated is never empty.
 * 2. Elsewhere a text may be matched in several ways, but the number of ways is fixed and small.
 * 3. A pattern without `^` is tried again from every character, so its longest match must be short.
 *
 * An engine then takes at most `MOST_STEPS` steps for each character. Backreferences, lookaround, word boundaries and
 * flags are not among the parts.
 */

/** What is known of a part of a pattern. */
interface Piece {
  /** The characters that a match can begin with: a bit for each of ASCII, one for all others. */
  first: bigint;
  /** Whether it matches the empty string. */
  empty: boolean;
  /** Whether it matches at the start of the text only. */
  anchored: boolean;
  /** Characters in the longest match. */
  longest: number;
  /** In how many ways it can match before something that begins with one of `next`. */
  ways: (next: bigint) => number;
}

/** For each character of a text. */
const MOST_STEPS = 50;
const MOST_CHARACTERS = 500;
/** Some engines write out a group that is repeated a number of times, and the groups in it again. */
const MOST_COUNTED_GROUPS = 4;
/** `\ud83d` is not among them: an engine reads two such escapes as one character. */
const TOKEN =
  /\\(?:[pu]\{[^}]*\}|u(?!d[89a-f])[\da-f]{4}|x..|[dfnrstvw^$\\.*+?()[\]{}|/])|\[(?:\\.|[^\]\\])*\]|\((?:\?(?::|<[^=!][^>]*>))?|\{[\d,]+\}|[^\\]/gisu;
const BOUNDS: Readonly<Record<string, string>> = { "*": "0,", "+": "1,", "?": "0,1" };
const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

/**
 * The pattern as an expression for `test`, or nothing when it cannot be compiled or breaks one of the rules. Its groups
 * capture nothing: an engine that keeps captures for each round of a repeat is slow, and runs out of stack.
 */
export function compileLinear(source: string): RegExp | undefined {
  const tokens = source.match(TOKEN) ?? [];
  const isKnown = source.length <= MOST_CHARACTERS && tokens.join("") === source;
  if (!isKnown || source.split("){").length > MOST_COUNTED_GROUPS + 1) return undefined;
  const withoutCaptures = tokens.map((token) => (token.startsWith("(") ? "(?:" : token)).join("");
  try {
    // The pattern as it was written must compile too: two groups of one name do not.
    const expression = RegExp(source, "u") && RegExp(withoutCaptures, "u");
    // A character at the very end matches as soon as it matches once, whether or not it is repeated.
    if (/[^)\\][*+]$/su.test(source)) tokens.pop();
    return isLinear(readAlternatives(tokens)) ? expression : undefined;
  } catch {
    return undefined;
  }
}

function isLinear({ ways, anchored, longest }: Piece): boolean {
  const tries = anchored ? 1 : LONGEST_TEXT;
  return ways(0n) * tries * Math.min(longest, LONGEST_TEXT) <= MOST_STEPS * LONGEST_TEXT;
}

/** Uses up the tokens that it reads. Throws where a quantifier stands for itself, as in lookaround. */
function readAlternatives(tokens: string[]): Piece {
  const piece = readSequence(tokens);
  return tokens.shift() === "|" ? either(piece, readAlternatives(tokens)) : piece;
}

function readSequence(tokens: string[]): Piece {
  const token = tokens[0] ?? ")";
  if (token === "|" || token === ")") return EMPTY;
  tokens.shift();
  let piece = token.startsWith("(") ? readAlternatives(tokens) : toPiece(token);
  const quantifier = tokens[0] ?? "";
  if (/^[*+?{]/.test(quantifier)) {
    tokens.splice(0, tokens[1] === "?" ? 2 : 1);
    const [least, most = least] = (BOUNDS[quantifier] ?? quantifier.slice(1, -1)).split(",");
    piece = repeat(piece, Number(least), Number(most || Infinity));
  }
  return then(piece, readSequence(tokens));
}

const EMPTY: Piece = { first: 0n, empty: true, anchored: false, longest: 0, ways: () => 1 };

/** The start or end of the text, or one character. */
function toPiece(token: string): Piece {
  if (token === "^" || token === "$") return { ...EMPTY, anchored: token === "^" };
  const expression = RegExp(token, "u");
  const others = /^\.|^\[\^|\\[DSWpPsux]|[^\0-\x7f]/.test(token);
  const bits = [others, ...ASCII.map((character) => expression.test(character))].map(Number);
  return { ...EMPTY, first: BigInt(`0b${bits.join("")}`), empty: false, longest: 1 };
}

function then(a: Piece, b: Piece): Piece {
  return {
    first: begins(a, b.first),
    empty: a.empty && b.empty,
    anchored: a.anchored,
    longest: a.longest + b.longest,
    ways: (next) => a.ways(begins(b, next)) * b.ways(next),
  };
}

function either(a: Piece, b: Piece): Piece {
  return {
    first: a.first | b.first,
    empty: a.empty || b.empty,
    anchored: a.anchored && b.anchored,
    longest: Math.max(a.longest, b.longest),
    ways: (next) =>
      (a.empty && b.empty) || begins(a, next) & begins(b, next)
        ? a.ways(next) + b.ways(next)
        : Math.max(a.ways(next), b.ways(next)),
  };
}

function repeat(piece: Piece, least: number, most: number): Piece {
  return {
    first: piece.first,
    empty: piece.empty || least === 0,
    anchored: piece.anchored && least > 0,
    longest: piece.longest && piece.longest * most,
    ways: (next) => {
      const ways = piece.ways(most > 1 ? piece.first | next : next);
      const open = piece.empty || piece.first & next;
      if (most === Infinity) return ways > 1 || open ? Infinity : 1;
      return ways ** most * (open ? most - least + 1 : 1);
    },
  };
}

/** What a text can begin with that has a match of `piece` before something that begins with one of `next`. */
function begins(piece: Piece, next: bigint): bigint {
  return piece.empty ? piece.first | next : piece.first;
}
