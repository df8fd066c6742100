import { LONGEST_TEXT } from "./check-value.ts";

/**
 * A pattern comes from the author of the schema and runs over the text of the user, so one that backtracks can hang
 * a page or a server. A pattern is run only if it consists of the constructs in `TOKEN` and keeps three rules:
 *
 * 1. Inside and at the end of an unbounded repeat, the next character alone decides how to continue: alternatives begin
 *    with different characters, and the repeated part never matches the empty string.
 * 2. Elsewhere a text may match in several ways, but their number is fixed and small.
 * 3. A pattern without `^` is tried from every character, so its longest match must be short.
 *
 * An engine then takes at most about `MOST_STEPS` steps per character. Backreferences, lookaround, word boundaries and
 * flags are not supported: such a pattern is not run.
 */

/** The properties of a part of a pattern. */
interface Piece {
  /** The characters that a match can begin with: one bit for each ASCII character, and one bit for all others. */
  first: bigint;
  /** Whether it matches the empty string. */
  empty: boolean;
  /** Whether it matches at the start of the text only. */
  anchored: boolean;
  /** Characters in the longest match. */
  longest: number;
  /** The number of ways in which it can match when the text continues with one of `next`. */
  ways: (next: bigint) => number;
}

/** The most steps per character of text. */
const MOST_STEPS = 50;
/**
 * The number of ways in which a short text may match. `MOST_STEPS` limits this only for patterns that match long texts.
 */
const MOST_WAYS = 1000;
const MOST_CHARACTERS = 500;
/** Some engines copy a group with a counted repeat, so nested ones multiply in memory. */
const MOST_COUNTED_GROUPS = 4;
/** No surrogates such as `\ud83d`, because an engine reads two of these escapes as one character. */
const TOKEN =
  /\\(?:[pu]\{[^}]*\}|u(?!d[89a-f])[\da-f]{4}|x..|[dfnrstvw^$\\.*+?()[\]{}|/])|\[(?:\\.|[^\]\\])*\]|\((?:\?(?::|<[^=!][^>]*>))?|\{[\d,]+\}|[^\\]/gisu;
const BOUNDS: Readonly<Record<string, string>> = { "*": "0,", "+": "1,", "?": "0,1" };
const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

/**
 * Compiles a pattern for `test`. Returns `undefined` when it does not compile or breaks one of the rules. The result has
 * no capturing groups: keeping captures for each round of a repeat is slow and can exhaust the stack.
 */
export function compileLinear(source: string): RegExp | undefined {
  const tokens = source.match(TOKEN) ?? [];
  const isKnown = source.length <= MOST_CHARACTERS && tokens.join("") === source;
  if (!isKnown || source.split("){").length > MOST_COUNTED_GROUPS + 1) return undefined;
  const withoutCaptures = tokens.map((token) => (token.startsWith("(") ? "(?:" : token)).join("");
  try {
    // The original must compile too: it may use one group name twice.
    const expression = RegExp(source, "u") && RegExp(withoutCaptures, "u");
    // A repeat of one character at the very end cannot fail after its first round.
    if (/[^)\\][*+]$/su.test(source)) tokens.pop();
    return isLinear(readAlternatives(tokens)) ? expression : undefined;
  } catch {
    return undefined;
  }
}

function isLinear({ ways, anchored, longest }: Piece): boolean {
  const tries = anchored ? 1 : LONGEST_TEXT;
  const steps = ways(0n) * tries * Math.min(longest, LONGEST_TEXT);
  return ways(0n) <= MOST_WAYS && steps <= MOST_STEPS * LONGEST_TEXT;
}

/** Consumes the tokens that it reads. Throws at a quantifier without a part before it, as in lookaround. */
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

/** A piece for `^`, `$` or a single character. */
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
      // Rounds that match the empty string count as well, because the length of the text does not limit them.
      return ways ** most * (open ? most - (piece.empty ? 0 : least) + 1 : 1);
    },
  };
}

/**
 * Returns the characters that a text can begin with if `piece` matches there and the text continues with one of `next`.
 */
function begins(piece: Piece, next: bigint): bigint {
  return piece.empty ? piece.first | next : piece.first;
}
