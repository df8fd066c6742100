import { decodePunycode } from "./punycode.ts";

/** Why a URL must not be opened: it cannot be shown honestly, or it leads somewhere a sign-in page never is. */
export type UrlBlockReason =
  /** White space anywhere, even where the parser would quietly drop it. */
  | "white-space"
  /** A control character or half a surrogate pair. */
  | "control"
  /** A character that turns the reading direction. */
  | "bidi"
  /** A character that takes no room: zero-width, soft hyphen, filler, tag. */
  | "invisible"
  /** Browsers read it as a slash, people do not: `https://evil.example\@good.example`. */
  | "backslash"
  | "unparsable"
  /** Neither https nor http: `javascript:`, `data:`, `file:`, an app's own scheme. */
  | "scheme"
  /** http to another machine, or to this one where that is not allowed. */
  | "insecure"
  /** A name before the host, which passes for the host: `https://good.example@evil.example`. */
  | "userinfo"
  /** No name in DNS: empty, too long, characters no host has, or Punycode that stands for nothing. */
  | "invalid-host";

/** What the person should know before opening a URL that may be opened. */
export type UrlWarnReason =
  /** The host has an international name; the ASCII form is the one to go by. */
  | "punycode"
  /** One label has Latin, Greek, Cyrillic or Armenian letters beside those of a script they are not written with. */
  | "mixed-script"
  /** A label written in other letters that looks like a Latin name. */
  | "lookalike"
  /** Plain http to this machine. */
  | "loopback-http"
  | "ip-host"
  | "unusual-port"
  | "trailing-dot"
  /** The host is not the one the text seems to name: `https://2130706433`, full-width letters, missing slashes. */
  | "host-differs";

/** Stable codes; words come from the message catalogue. */
export type UrlReason = UrlBlockReason | UrlWarnReason;

/**
 * - `ok`: nothing is known against the URL.
 * - `warn`: show the reasons before the person decides.
 * - `block`: offer no way to open it.
 */
export type UrlVerdict = "ok" | "warn" | "block";

/** Pieces for display. In this order they make up `href`; of a blocked URL, all of it is in `rest`. */
export interface UrlParts {
  /** `https://` or `http://`. */
  scheme: string;
  /** `login.` of `login.example.com`. Empty without `getRegistrableDomain`. */
  subdomain: string;
  /** The part to emphasise: who owns the host. The whole host when that is not known. */
  registrable: string;
  /** `:8443`; empty for the scheme's own port. */
  port: string;
  rest: string;
}

/** What `inspectUrl` found. Show and open `href`, never the text it came from, and open it only if nothing blocks. */
export interface UrlInspection {
  verdict: UrlVerdict;
  /** Why, in a fixed order. When something blocks, only what blocks. */
  reasons: readonly UrlReason[];
  /** The URL in canonical form, all ASCII; `""` when it cannot be parsed. */
  href: string;
  /** The host as it goes to DNS, without port: the authoritative name to show. */
  asciiHost: string;
  /** How the host reads decoded. Only beside `asciiHost`, never in its place; absent when it is the same. */
  unicodeHost?: string | undefined;
  parts: UrlParts;
}

/** What the host of the kit knows better than a pure function can. */
export interface InspectUrlOptions {
  /**
   * The registrable domain of a host, from the Public Suffix List (`elicit-kit/registrable-domain`), to emphasise it.
   * A guess such as "the last two labels" misleads, so without it the whole host is emphasised. An answer that is
   * not an end of the host is ignored.
   */
  getRegistrableDomain?: ((asciiHost: string) => string | null | undefined) | undefined;
  /** Whether plain http to this machine may be opened, with a warning. @default true */
  allowLoopbackHttp?: boolean | undefined;
}

/** Names of RFC 1123 with the underscore that is in use, as long as RFC 1035 has them; or IPv6, checked by the parser. */
const HOST = /^(?=.{1,254}$)(?:[\w-]{1,63}\.)*[\w-]{1,63}\.?$|^\[/;
/** RFC 6761, RFC 5735. The parser has made four decimals of every spelling of an IPv4 address. */
const LOOPBACK = /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Which scripts may stand together in one label: Latin and those of East Asia; Cyrillic, Greek and Armenian, with their
 * Latin-looking letters, each alone; all the rest. A short form of "Highly Restrictive" in UTS 39: scripts that it
 * parts further do not pass for Latin.
 */
const UNMIXED =
  /^(?:[\p{scx=Zyyy}\p{scx=Zinh}\p{scx=Latn}\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}]*|[\p{scx=Zyyy}\p{scx=Zinh}\p{scx=Cyrl}]*|[\p{scx=Zyyy}\p{scx=Zinh}\p{scx=Grek}]*|[\p{scx=Zyyy}\p{scx=Zinh}\p{scx=Armn}]*|[^\p{scx=Latn}\p{scx=Cyrl}\p{scx=Grek}\p{scx=Armn}]*)$/u;
/** ASCII, and what looks like it: Cyrillic, Greek, Armenian and Latin letters, signs, all of Cherokee and Lisu. */
const LATIN_LOOKING =
  /^[\w\-аеорсухѕіјһӏԁԛԝѵѡьгпүαγικνορστυωηցհոսօքıɑɡ⁄∕⧸꞉‐−ー一ノ\p{sc=Cher}\p{sc=Lisu}]+$/u;

/**
 * Judges the URL of a request, before it is shown and again when it is opened. Pure, linear in the length of `raw`,
 * loads nothing, throws only what `getRegistrableDomain` throws.
 * It goes by "Safe URL Handling" of the MCP specification and by Chromium's rules for international names, as far as
 * they need no list of well-known sites.
 */
export function inspectUrl(raw: string, options: InspectUrlOptions = {}): UrlInspection {
  const { getRegistrableDomain, allowLoopbackHttp = true } = options;
  const { protocol = "", host = "", hostname = "", port = "", href = "" } = parse(raw);
  const insecure = protocol === "http:";
  const overWeb = insecure || protocol === "https:";
  const unicodeHost = decodeHost(hostname);
  const labels = unicodeHost?.match(/[^.]+/g) ?? [];
  const foreign = labels.filter((label) => /[^\w-]/.test(label));
  // What stands where people look for the host: after two slashes.
  const written = raw
    .split(/[/?#]/, 3)[2]
    ?.replace(/:\d*$/, "")
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase());

  const blocking = thoseThat<UrlBlockReason>([
    ["white-space", /\s/.test(raw)],
    ["control", /(?!\s)[\p{Cc}\p{Cs}]/u.test(raw)],
    ["bidi", /\p{Bidi_C}/u.test(raw)],
    ["invisible", /(?![\s\p{Bidi_C}])[\p{DI}\p{Cf}\u2800]/u.test(raw)],
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
  const found = blocked ? undefined : getRegistrableDomain?.(hostname);
  const registrable = found && `.${hostname}`.endsWith(`.${found}`) ? found : hostname;

  return {
    verdict: blocked ? "block" : warnings.length > 0 ? "warn" : "ok",
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

/** Of what cannot be parsed, nothing. */
function parse(url: string): Partial<URL> {
  try {
    return new URL(url);
  } catch {
    return {};
  }
}

/** The host with its international labels decoded; `undefined` when it is none, or when a label stands for nothing. */
function decodeHost(asciiHost: string): string | undefined {
  if (!HOST.test(asciiHost)) return undefined;
  try {
    const labels = asciiHost.split(".");
    const host = labels
      .map((label) => (label.startsWith("xn--") ? decodePunycode(label.slice(4)) : label))
      .join(".");
    // Not every engine checks names that come encoded; written out, every engine does. Honest ones come back the same.
    return parse(`https://${host}`).hostname === asciiHost ? host : undefined;
  } catch {
    return undefined;
  }
}

const looksLatin = (label: string): boolean => LATIN_LOOKING.test(label);
