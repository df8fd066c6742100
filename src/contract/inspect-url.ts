import { decodePunycode } from "./punycode.ts";

/** Why a URL must not be opened: it cannot be shown correctly, or no sign-in page has such an address. */
export type UrlBlockReason =
  /** White space at any position, even where the URL parser would drop it. */
  | "white-space"
  /** A control character or a lone surrogate. */
  | "control"
  /** A character that changes the reading direction. */
  | "bidi"
  /** An invisible character: zero-width, soft hyphen, filler, tag. */
  | "invisible"
  /** A backslash, which only browsers treat as a slash: `https://evil.example\@good.example`. */
  | "backslash"
  | "unparsable"
  /** Neither https nor http: `javascript:`, `data:`, `file:`, an app's own scheme. */
  | "scheme"
  /** http to another machine, or to this machine if that is not allowed. */
  | "insecure"
  /** A user name, which looks like the host: `https://good.example@evil.example`. */
  | "userinfo"
  /** Not a DNS name: empty, too long, with impossible characters, or with invalid Punycode. */
  | "invalid-host";

/** A warning about a URL that may be opened. */
export type UrlWarnReason =
  /** The host has an international name. Trust its ASCII form. */
  | "punycode"
  /** One label mixes Latin, Greek, Cyrillic or Armenian letters with those of another script. */
  | "mixed-script"
  /** A label in another script that looks like a Latin name. */
  | "lookalike"
  /** Plain http to this machine. */
  | "loopback-http"
  | "ip-host"
  | "unusual-port"
  | "trailing-dot"
  /** The host differs from the one in the text: `https://2130706433`, full-width letters, missing slashes. */
  | "host-differs";

/** Stable codes. The catalogue has the texts for them. */
export type UrlReason = UrlBlockReason | UrlWarnReason;

/**
 * - `ok`: the user may open it.
 * - `warn`: show the reasons before the user decides.
 * - `block`: do not offer to open it.
 */
export type UrlVerdict = "ok" | "warn" | "block";

/**
 * The severity of the reasons:
 * - `ok`: there are none.
 * - `note`: information only, such as an address of this machine.
 * - `caution`: the user should check the address.
 * - `danger`: it looks like another address, or must not be opened.
 */
export type UrlTier = "ok" | "note" | "caution" | "danger";

/** The pieces of `href`, for display. For a blocked URL, `rest` contains all of it. */
export interface UrlParts {
  /** `https://` or `http://`. */
  scheme: string;
  /** `login.` in `login.example.com`. Empty without `getRegistrableDomain`. */
  subdomain: string;
  /** The part to emphasise, which shows who owns the host. It is the whole host if the owner is unknown. */
  registrable: string;
  /** `:8443`, or empty for the default port. */
  port: string;
  rest: string;
}

/**
 * The result of `inspectUrl`. Show and open `href`, never the original text, and open it only if the verdict is not
 * `block`.
 */
export interface UrlInspection {
  verdict: UrlVerdict;
  tier: UrlTier;
  /** The ASCII name that a lookalike imitates: `apple.com`. Absent if that is not certain. */
  imitates?: string | undefined;
  /** The reasons, in a fixed order. For `block`, only the blocking reasons. */
  reasons: readonly UrlReason[];
  /** The URL in canonical form, all ASCII. `""` if it cannot be parsed. */
  href: string;
  /** The host as in DNS, without port. Show this name. */
  asciiHost: string;
  /** The decoded host, if it differs. Show it beside `asciiHost`, never instead of it. */
  unicodeHost?: string | undefined;
  parts: UrlParts;
}

/** Options of `inspectUrl`. */
export interface InspectUrlOptions {
  /**
   * The registrable domain of a host, from the Public Suffix List (`elicit-kit/registrable-domain`), to emphasise it.
   * Without it the whole host is emphasised, because a guess such as "the last two labels" misleads. A result is ignored
   * unless the host ends with it.
   */
  getRegistrableDomain?: ((asciiHost: string) => string | null | undefined) | undefined;
  /** Whether plain http to this machine may be opened, with a warning. @default true */
  allowLoopbackHttp?: boolean | undefined;
}

/** Longer than any host in any notation. */
const MAX_HOST_LENGTH = 4096;
/**
 * A name as in RFC 1123, with underscores and the lengths of RFC 1035, or an IPv6 address, which the URL parser has
 * checked.
 */
const HOST = /^(?=.{1,254}$)(?:[\w-]{1,63}\.)*[\w-]{1,63}\.?$|^\[/;
/** RFC 6761, RFC 5735. The URL parser has converted every notation of an IPv4 address to four decimals. */
const LOOPBACK = /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Which scripts may be mixed in one label: Latin with those of East Asia; Cyrillic, Greek and Armenian with no other; any
 * other script alone. A short form of "Highly Restrictive" in UTS 39: the scripts that it separates further do not look
 * like Latin.
 */
const UNMIXED =
  /^(?:[\p{scx=Zyyy}\p{scx=Zinh}\p{scx=Latn}\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}]*|[\p{scx=Zyyy}\p{scx=Zinh}\p{scx=Cyrl}]*|[\p{scx=Zyyy}\p{scx=Zinh}\p{scx=Grek}]*|[\p{scx=Zyyy}\p{scx=Zinh}\p{scx=Armn}]*|[^\p{scx=Latn}\p{scx=Cyrl}\p{scx=Grek}\p{scx=Armn}]*)$/u;
/** Cyrillic, Greek, Armenian and Latin letters that look like the letters of `ASCII_TWINS` at the same position. */
const TWINS = "аеорсухѕіјһӏԁԛԝѵѡьгпүαγικνορστυωηցհոսօıɑɡ‐−ー一";
const ASCII_TWINS = "aeopcyxsijhldqwvwbrnyayikvopotuwnghnuoiag----";
/** ASCII, its twins, and other characters that look like it: some letters and signs, and all of Cherokee and Lisu. */
const LATIN_LOOKING = new RegExp(`^[\\w\\-${TWINS}ք⁄∕⧸꞉ノ\\p{sc=Cher}\\p{sc=Lisu}]+$`, "u");

/**
 * Checks the URL of a request, before it is shown and again when it is opened. Pure, takes linear time, loads nothing,
 * and throws only errors of `getRegistrableDomain`. Follows "Safe URL Handling" of the MCP specification, and Chromium's
 * rules for international names except those that need a list of well-known sites.
 */
export function inspectUrl(raw: string, options: InspectUrlOptions = {}): UrlInspection {
  const { getRegistrableDomain, allowLoopbackHttp = true } = options;
  const { protocol = "", host = "", hostname = "", port = "", href = "" } = parse(raw);
  const insecure = protocol === "http:";
  const overWeb = insecure || protocol === "https:";
  const unicodeHost = decodeHost(hostname);
  const labels = unicodeHost?.match(/[^.]+/g) ?? [];
  const foreign = labels.filter((label) => /[^\w-]/.test(label));
  // The text in the place where users look for the host: after two slashes.
  const written = raw
    .split(/[/?#]/, 3)[2]
    ?.slice(0, MAX_HOST_LENGTH)
    .replace(/:\d*$/, "")
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase());

  // Unicode properties take time to compile, and most URLs need none.
  const plain = /^[ -~]*$/.test(raw);
  const blocking = thoseThat<UrlBlockReason>([
    ["white-space", /\s/.test(raw)],
    ["control", !plain && /(?!\s)[\p{Cc}\p{Cs}]/u.test(raw)],
    ["bidi", !plain && /\p{Bidi_C}/u.test(raw)],
    ["invisible", !plain && /(?![\s\p{Bidi_C}])[\p{DI}\p{Cf}\u2800]/u.test(raw)],
    ["backslash", raw.includes("\\")],
    ["unparsable", protocol === ""],
    ["scheme", protocol !== "" && !overWeb],
    ["insecure", insecure && !(allowLoopbackHttp && LOOPBACK.test(hostname))],
    ["userinfo", overWeb && /^[^:]*:\/*[^/?#]*@/.test(raw)],
    ["invalid-host", overWeb && unicodeHost === undefined],
  ]);
  const warnings = thoseThat<UrlWarnReason>([
    ["punycode", unicodeHost !== hostname],
    ["mixed-script", foreign.some((label) => !UNMIXED.test(label))],
    ["lookalike", foreign.some(looksLatin) && labels.slice(-1).every(looksLatin)],
    ["loopback-http", insecure],
    ["ip-host", /^\[|\.\d+$/.test(hostname)],
    ["unusual-port", port !== ""],
    ["trailing-dot", hostname.endsWith(".")],
    ["host-differs", written !== hostname && written !== unicodeHost],
  ]);
  const blocked = blocking.length > 0;
  const imitating = warnings.includes("mixed-script") || warnings.includes("lookalike");
  const imitated = imitating ? asciiTwin(unicodeHost) : undefined;
  const found = blocked ? undefined : getRegistrableDomain?.(hostname);
  const registrable = found && `.${hostname}`.endsWith(`.${found}`) ? found : hostname;

  return {
    verdict: blocked ? "block" : warnings.length > 0 ? "warn" : "ok",
    tier: blocked || imitating ? "danger" : tierOf(warnings),
    ...(!blocked && imitated !== undefined && { imitates: imitated }),
    reasons: blocked ? blocking : warnings,
    href,
    asciiHost: hostname,
    ...(unicodeHost !== hostname && { unicodeHost }),
    parts: blocked
      ? { scheme: "", subdomain: "", registrable: "", port: "", rest: href }
      : {
          scheme: `${protocol}//`,
          subdomain: hostname.slice(0, -registrable.length),
          registrable,
          port: host.slice(hostname.length),
          rest: href.slice(protocol.length + 2 + host.length),
        },
  };
}

function thoseThat<Reason extends UrlReason>(findings: readonly (readonly [Reason, boolean])[]): Reason[] {
  return findings.filter(([, applies]) => applies).map(([reason]) => reason);
}

/** The tier of warnings that are not a danger. */
function tierOf(warnings: readonly UrlWarnReason[]): UrlTier {
  if (warnings.length === 0) return "ok";
  const local = warnings.includes("loopback-http");
  const facts: readonly UrlWarnReason[] = ["loopback-http", "ip-host", "unusual-port"];
  return local && warnings.every((reason) => facts.includes(reason)) ? "note" : "caution";
}

/** The host in the ASCII letters that it resembles. `undefined` if a letter has no twin. */
function asciiTwin(unicodeHost = ""): string | undefined {
  const twin = Array.from(unicodeHost, (letter) => ASCII_TWINS[TWINS.indexOf(letter)] ?? letter).join("");
  return /^[\w.-]+$/.test(twin) ? twin : undefined;
}

/** An empty object if the URL cannot be parsed. */
function parse(url: string): Partial<URL> {
  try {
    return new URL(url);
  } catch {
    return {};
  }
}

/** The host with its international labels decoded. `undefined`: it is not a host, or a label is invalid. */
function decodeHost(asciiHost: string): string | undefined {
  if (!HOST.test(asciiHost)) return undefined;
  try {
    const labels = asciiHost.split(".");
    const host = labels
      .map((label) => (label.startsWith("xn--") ? decodePunycode(label.slice(4)) : label))
      .join(".");
    // Not every engine checks encoded names, but every engine checks decoded ones. A valid name is encoded to the same
    // text again.
    return parse(`https://${host}`).hostname === asciiHost ? host : undefined;
  } catch {
    return undefined;
  }
}

const looksLatin = (label: string): boolean => LATIN_LOOKING.test(label);
