/**
 * A `pattern` comes from whoever wrote the schema and runs over what somebody typed: one that backtracks can hang a
 * page or a server. So only patterns that are shown to be linear are run.
 *
 * The proof counts, for each piece, in how many ways it can match from one place so that what follows can go on. An
 * unbounded repeat must leave no choice: its body matches in one way and is never empty, and the next character tells
 * another round from what comes after. All other choices multiply to a constant factor, which is bounded; so is the
 * longest match of a pattern without `^`, which is tried again from every character, and the pattern written out. Backreferences, lookaround and
 * flags are not looked into: not shown to be linear.
 */

interface Piece {
  /** The characters a match can begin with: a bit for each of ASCII, one for all others. */
  first: bigint;
  /** Whether it matches the empty string. */
  empty: boolean;
  /** Whether it matches at the start of the text only. */
  anchored: boolean;
  /** Characters in the longest match. */
  longest: number;
  /** Characters written, each counted repeat written out: what an engine keeps in memory. */
  size: number;
  /** In how many ways it can match before something that begins with one of `next`. */
  ways: (next: bigint) => number;
}

const MOST_CHARACTERS = 500;
/** The constant factor up to which a pattern counts as linear. */
const MOST_STEPS = 1000;
/** Above any length that a form would ask for. */
const MOST_SIZE = 100_000;
const TOKEN =
  /\\(?:[pu]\{[^}]*\}|u.{4}|x..|c.|.)|\[(?:\\.|[^\]\\])*\]|\(\?(?::|<[^=!][^>]*>)|\{[\d,]+\}|./gisu;
const BOUNDS: Readonly<Record<string, string>> = { "*": "0,", "+": "1,", "?": "0,1" };
const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

/** The pattern as an expression to run, or nothing when it cannot be compiled or is not shown to be linear. */
export function compileLinear(source: string): RegExp | undefined {
  try {
    const expression = new RegExp(source, "u");
    return source.length <= MOST_CHARACTERS && isLinear(source.match(TOKEN) ?? []) ? expression : undefined;
  } catch {
    return undefined;
  }
}

/** `tokens` is used up. */
function isLinear(tokens: string[]): boolean {
  // Nothing comes after a repeat at the very end, so it cannot fail.
  if (/^[*+]$/.test(tokens.at(-1) ?? "")) tokens.pop();
  const { ways, anchored, longest, size } = readAlternatives(tokens);
  return size <= MOST_SIZE && ways(0n) * (anchored ? 1 : Math.max(1, longest)) <= MOST_STEPS;
}

function readAlternatives(tokens: string[]): Piece {
  const piece = readSequence(tokens);
  if (tokens.shift() !== "|") return piece;
  return either(piece, readAlternatives(tokens));
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

const EMPTY: Piece = { first: 0n, empty: true, anchored: false, longest: 0, size: 0, ways: () => 1 };

/** An assertion, or one character. */
function toPiece(token: string): Piece {
  if (/^(?:[$^]|\\b)$/i.test(token)) return { ...EMPTY, anchored: token === "^" };
  // A question mark in this place begins lookaround or flags.
  if (/^(?:\?|\\[1-9k])/.test(token)) return { ...EMPTY, ways: () => Infinity };
  const expression = new RegExp(token, "u");
  const others = /^\.|^\[\^|\\[DSWpPsux]|[^\0-\x7f]/.test(token);
  const bits = [others, ...ASCII.map((character) => expression.test(character))].map(Number);
  return { ...EMPTY, first: BigInt(`0b${bits.join("")}`), empty: false, longest: 1, size: 1 };
}

function then(a: Piece, b: Piece): Piece {
  return {
    first: begins(a, b.first),
    empty: a.empty && b.empty,
    anchored: a.anchored,
    longest: a.longest + b.longest,
    size: a.size + b.size,
    ways: (next) => a.ways(begins(b, next)) * b.ways(next),
  };
}

function either(a: Piece, b: Piece): Piece {
  return {
    first: a.first | b.first,
    empty: a.empty || b.empty,
    anchored: a.anchored && b.anchored,
    longest: Math.max(a.longest, b.longest),
    size: a.size + b.size,
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
    size: piece.size * (most === Infinity ? Math.max(1, least) : most),
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
