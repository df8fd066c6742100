import * as fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { inspectUrl, type UrlInspection, type UrlReason, type UrlTier } from "./inspect-url.ts";

// The machine may be busy, and FC_RUNS may ask for long runs.
vi.setConfig({ testTimeout: 600_000 });
const runs = { numRuns: Number(process.env["FC_RUNS"] ?? 300) };

const join = ({ parts }: UrlInspection): string =>
  parts.scheme + parts.subdomain + parts.registrable + parts.port + parts.rest;

const lastThreeLabels = (host: string): string => host.split(".").slice(-3).join(".");

describe("a URL that may be opened", () => {
  test.each([
    "https://example.com/",
    "https://EXAMPLE.com/Path?q=1#f",
    "https://auth.example.com:443/connect?elicitationId=x",
    "https://example.com/a@b?mail=a@b",
    "https://example.com/%E2%80%AE%0A",
    "https://example.com/?",
    "https://_dmarc.example.com",
    "https://intranet/",
    "https://localhost/",
    "https://sso.1password.com/",
    `https://${"a.".repeat(126)}a/`,
  ])("%s needs no warning", (raw) => {
    const inspection = inspectUrl(raw);
    expect(inspection).toMatchObject({ verdict: "ok", reasons: [], href: new URL(raw).href });
    expect(inspection).not.toHaveProperty("unicodeHost");
  });

  test.each<[raw: string, reasons: UrlReason[], asciiHost: string, unicodeHost?: string]>([
    ["https://münchen.example", ["punycode"], "xn--mnchen-3ya.example", "münchen.example"],
    ["https://xn--mnchen-3ya.example", ["punycode"], "xn--mnchen-3ya.example", "münchen.example"],
    ["https://xn--ls8h.example", ["punycode"], "xn--ls8h.example", "💩.example"],
    ["https://faß.example", ["punycode"], "xn--fa-hia.example", "faß.example"],
    ["https://例え.example", ["punycode"], "xn--r8jz45g.example", "例え.example"],
    ["https://日本語ab.example", ["punycode"], "xn--ab-5t7du0ck91h.example", "日本語ab.example"],
    ["https://пример.example", ["punycode"], "xn--e1afmkfd.example", "пример.example"],
    ["https://λόγος.example", ["punycode"], "xn--oxapnm1c.example", "λόγος.example"],
    ["https://ทดสอบ.example", ["punycode"], "xn--l3cfk7dp.example", "ทดสอบ.example"],
    // Joiners that a script needs are part of the name. The engine's own check allows no others.
    [
      "https://xn--mgba3gch31f060k.example",
      ["punycode"],
      "xn--mgba3gch31f060k.example",
      "نامه\u200cای.example",
    ],
    [
      "https://gооgle.example",
      ["punycode", "mixed-script", "lookalike"],
      "xn--ggle-55da.example",
      "gооgle.example",
    ],
    [
      "https://рaypal.example",
      ["punycode", "mixed-script", "lookalike"],
      "xn--aypal-uye.example",
      "рaypal.example",
    ],
    ["https://αдa.example", ["punycode", "mixed-script"], "xn--a-ylb70b.example", "αдa.example"],
    ["https://aթ.example", ["punycode", "mixed-script"], "xn--a-4bc.example", "aթ.example"],
    ["https://tทดสอบ.example", ["punycode", "mixed-script"], "xn--t-xxfin3fsa.example", "tทดสอบ.example"],
    ["https://аррӏе.example", ["punycode", "lookalike"], "xn--80ak6aa92e.example", "аррӏе.example"],
    [
      "https://login.аррӏе.example",
      ["punycode", "lookalike"],
      "login.xn--80ak6aa92e.example",
      "login.аррӏе.example",
    ],
    [
      "https://ü.аррӏе.example",
      ["punycode", "lookalike"],
      "xn--tda.xn--80ak6aa92e.example",
      "ü.аррӏе.example",
    ],
    // The labels between this one and the top-level domain make it no safer.
    [
      "https://аррӏе.ü.example",
      ["punycode", "lookalike"],
      "xn--80ak6aa92e.xn--tda.example",
      "аррӏе.ü.example",
    ],
    ["https://ορτιων.example", ["punycode", "lookalike"], "xn--uxaieip5a.example", "ορτιων.example"],
    ["https://սոօց.example", ["punycode", "lookalike"], "xn--mbbjnp.example", "սոօց.example"],
    ["https://ꓮꓑꓑꓡꓰ.example", ["punycode", "lookalike"], "xn--4l8aa2c7bn.example", "ꓮꓑꓑꓡꓰ.example"],
    ["https://ᎪᏢᏢᏞᎬ.example", ["punycode", "lookalike"], "xn--g9de3mpaa.example", "ᎪᏢᏢᏞᎬ.example"],
    ["https://ɡoogle.example", ["punycode", "lookalike"], "xn--oogle-qmc.example", "ɡoogle.example"],
    [
      "https://good.com⁄login.evil.example",
      ["punycode", "lookalike"],
      "good.xn--comlogin-g03d.evil.example",
      "good.com⁄login.evil.example",
    ],
    [
      "https://goodーlogin.example",
      ["punycode", "lookalike"],
      "xn--goodlogin-ol5h.example",
      "goodーlogin.example",
    ],
    // A top-level domain in the same script shows that the letters are not Latin.
    ["https://хор.рф", ["punycode"], "xn--n1aen.xn--p1ai", "хор.рф"],
    [
      "https://аррӏе.example.",
      ["punycode", "lookalike", "trailing-dot"],
      "xn--80ak6aa92e.example.",
      "аррӏе.example.",
    ],
    ["http://localhost", ["loopback-http"], "localhost"],
    ["http://app.localhost", ["loopback-http"], "app.localhost"],
    ["http://localhost:5173/auth", ["loopback-http", "unusual-port"], "localhost"],
    ["http://127.0.0.1/", ["loopback-http", "ip-host"], "127.0.0.1"],
    ["http://127.255.0.9/", ["loopback-http", "ip-host"], "127.255.0.9"],
    ["http://127.0.10.20/", ["loopback-http", "ip-host"], "127.0.10.20"],
    ["http://[::1]:8080/", ["loopback-http", "ip-host", "unusual-port"], "[::1]"],
    ["http://0x7f.1/", ["loopback-http", "ip-host", "host-differs"], "127.0.0.1"],
    ["https://192.168.0.1", ["ip-host"], "192.168.0.1"],
    ["https://[2001:db8::1]/", ["ip-host"], "[2001:db8::1]"],
    ["https://2130706433", ["ip-host", "host-differs"], "127.0.0.1"],
    ["https://[0:0::1]", ["ip-host", "host-differs"], "[::1]"],
    ["https://example.com:8443", ["unusual-port"], "example.com"],
    ["https://example.com:80", ["unusual-port"], "example.com"],
    ["https://example.com.", ["trailing-dot"], "example.com."],
    ["https://ｅxample.com", ["host-differs"], "example.com"],
    ["https://example。com", ["host-differs"], "example.com"],
    ["https://ex%61mple.com", ["host-differs"], "example.com"],
    // The Kelvin sign: its lower case is a normal k, so letters must not be lower-cased before the comparison.
    ["https://boo\u212aing.com", ["host-differs"], "booking.com"],
    ["https://BÜCHER.example", ["punycode", "host-differs"], "xn--bcher-kva.example", "bücher.example"],
    ["https:example.com", ["host-differs"], "example.com"],
    ["https:/example.com/", ["host-differs"], "example.com"],
    ["https:////example.com/", ["host-differs"], "example.com"],
    ["https:evil.example/x/good.example", ["host-differs"], "evil.example"],
  ])("%s is shown with warnings", (raw, reasons, asciiHost, unicodeHost) => {
    const inspection = inspectUrl(raw);
    expect(inspection).toMatchObject({ verdict: "warn", reasons, asciiHost });
    expect(inspection.unicodeHost).toBe(unicodeHost);
    expect(inspection.href).toBe(new URL(raw).href);
  });
});

describe("a URL that must not be opened", () => {
  test.each<[raw: string, reasons: UrlReason[]]>([
    ["", ["unparsable"]],
    ["example.com", ["unparsable"]],
    ["https://", ["unparsable"]],
    ["https://example.com:99999", ["unparsable"]],
    ["https://good.example／evil.example:x", ["unparsable"]],
    ["javascript:alert(1)", ["scheme"]],
    ["JavaScript://example.com/%0aalert(1)", ["scheme"]],
    ["data:text/html,<script>alert(1)</script>", ["scheme"]],
    ["blob:https://example.com/1", ["scheme"]],
    ["file:///etc/passwd", ["scheme"]],
    ["intent://scan/#Intent;scheme=zxing;end", ["scheme"]],
    ["http://example.com", ["insecure"]],
    ["http://localhost.example.com", ["insecure"]],
    ["http://notlocalhost", ["insecure"]],
    ["http://localhost.", ["insecure"]],
    ["http://128.0.0.1", ["insecure"]],
    ["http://[::ffff:127.0.0.1]/", ["insecure"]],
    ["http://127.0.0.1.example.com", ["insecure"]],
    ["https://good.example@evil.example", ["userinfo"]],
    ["https://user:secret@example.com/", ["userinfo"]],
    ["https://@example.com/", ["userinfo"]],
    ["https://:@example.com/", ["userinfo"]],
    ["https:user@example.com/", ["userinfo"]],
    ["https:///user@example.com/", ["userinfo"]],
    ["http://localhost@example.com", ["insecure", "userinfo"]],
    ["https://good.example%2f@evil.example", ["userinfo"]],
    ["https://.", ["invalid-host"]],
    ["https://..", ["invalid-host"]],
    ["https://.example.com", ["invalid-host"]],
    ["https://a..example", ["invalid-host"]],
    ["https://example.com..", ["invalid-host"]],
    ["https://*.example.com", ["invalid-host"]],
    ["https://good.example&x=.evil.example", ["invalid-host"]],
    ["https://xn--a.example", ["invalid-host"]],
    ["https://xn--.example", ["invalid-host"]],
    ["https://xn--abc-.example", ["invalid-host"]],
    ["https://xn--99999.example", ["invalid-host"]],
    // Decodes to a letter and U+202E, which no honest name contains. Some engines let it through encoded.
    ["https://xn--a-qin.example", ["invalid-host"]],
    [`https://${"a".repeat(64)}.example`, ["invalid-host"]],
    [`https://${"a.".repeat(127)}a`, ["invalid-host"]],
    [" https://example.com", ["white-space"]],
    ["https://example.com/\n", ["white-space"]],
    ["java\nscript:alert(1)", ["white-space", "scheme"]],
    ["https://exam\tple.com", ["white-space"]],
    ["https://example.com/a b", ["white-space"]],
    ["https://example.com/a\u00a0b", ["white-space"]],
    ["\ufeffhttps://example.com", ["white-space", "unparsable"]],
    ["https://example.com\\@evil.example", ["backslash", "userinfo"]],

    ["https:/\\evil.example", ["backslash"]],
    ["https:\\\\evil.example", ["backslash"]],
  ])("%j is blocked", (raw, reasons) => {
    const inspection = inspectUrl(raw);
    const parsed = URL.canParse(raw) ? new URL(raw) : { href: "", hostname: "" };
    expect(inspection).toMatchObject({ verdict: "block", reasons });
    expect(inspection.href).toBe(parsed.href);
    expect(inspection.asciiHost).toBe(parsed.hostname);
    expect(inspection.unicodeHost).toBeUndefined();
    expect(inspection.parts).toEqual({
      scheme: "",
      subdomain: "",
      registrable: "",
      port: "",
      rest: parsed.href,
    });
  });

  test.each<[reason: UrlReason, codePoints: readonly number[]]>([
    ["white-space", [0x09, 0x0a, 0x0d, 0x20, 0xa0, 0x1680, 0x2003, 0x2028, 0x2029, 0x202f, 0x3000, 0xfeff]],
    ["control", [0x00, 0x01, 0x1f, 0x7f, 0x85, 0x9f, 0xd800, 0xdfff]],
    [
      "bidi",
      [0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069],
    ],
    [
      "invisible",
      [
        0xad, 0x034f, 0x115f, 0x180b, 0x200b, 0x200c, 0x200d, 0x2060, 0x2064, 0x2800, 0x3164, 0xfe0f, 0xfff9,
        0xe0061,
      ],
    ],
    ["backslash", [0x5c]],
  ])("%s blocks the URL at any position, and is reported once", (reason, codePoints) => {
    const raws = codePoints
      .map((codePoint) => String.fromCodePoint(codePoint))
      .flatMap((character) => [
        `${character}https://example.com/`,
        `https${character}://example.com/`,
        `https://exam${character}ple.com/`,
        `https://example.com/${character}`,
        `https://example.com/?${character}`,
        `https://example.com/#${character}`,
      ]);
    // Further reasons may follow, depending on how the parser reads the rest.
    const consequences: readonly UrlReason[] = ["unparsable", "scheme", "invalid-host"];
    const judged = raws.map((raw) => {
      const { verdict, reasons } = inspectUrl(raw);
      return { raw, verdict, reasons: reasons.filter((found) => !consequences.includes(found)) };
    });
    expect(judged).toEqual(raws.map((raw) => ({ raw, verdict: "block", reasons: [reason] })));
  });

  test("has another scheme than https, or none, or a sign in its host that no name has", () => {
    const signs = Array.from("!\"$&'()*+,;=`{}~");
    const raws = [
      "//example.com",
      "/auth/connect",
      "vbscript:msgbox",
      "ftp://example.com",
      "wss://example.com",
      "view-source:https://example.com",
      "mailto:a@example.com",
      ...signs.map((sign) => `https://good.example${sign}evil.example`),
    ];
    expect(raws.filter((raw) => inspectUrl(raw).verdict !== "block")).toEqual([]);
  });

  test("all reasons for blocking are reported, and no others", () => {
    const raw = "http://user@good.example:8080\\\u202e\u200b \u0000";
    expect(inspectUrl(raw).reasons).toEqual([
      "white-space",
      "control",
      "bidi",
      "invisible",
      "backslash",
      "insecure",
      "userinfo",
    ]);
  });

  test("http to this machine is blocked where only https is allowed", () => {
    expect(inspectUrl("http://localhost:3000/", { allowLoopbackHttp: false })).toMatchObject({
      verdict: "block",
      reasons: ["insecure"],
    });
    expect(inspectUrl("https://localhost/", { allowLoopbackHttp: false }).verdict).toBe("ok");
  });
});

describe("the severity of what was found", () => {
  test.each<[raw: string, tier: UrlTier, imitates?: string]>([
    ["https://example.com/", "ok"],
    ["http://localhost:3000/", "note"],
    ["http://127.0.0.1:8080/", "note"],
    ["http://0x7f.1/", "caution"],
    ["https://192.0.2.1/", "caution"],
    ["https://[::1]/", "caution"],
    ["https://1.example.com:8443/", "caution"],
    ["https://example.com./", "caution"],
    ["https://münchen.de/", "caution"],
    // All letters are Cyrillic, and so is the top-level domain: a name as others.
    ["https://аррӏе.рф/", "caution"],
    ["https://аррӏе.com/", "danger", "apple.com"],
    ["https://gооgle.com/", "danger", "google.com"],
    // A Cherokee letter at the start or at the end has no twin in ASCII.
    ["https://Ꭺpple.com/", "danger"],
    ["https://pаypal.cᎪ/", "danger"],
    ["javascript:alert(1)", "danger"],
    ["https://user@аррӏе.com/", "danger"],
  ])("of %s is %s", (raw, tier, imitates) => {
    const inspection = inspectUrl(raw);
    expect([inspection.tier, inspection.imitates]).toEqual([tier, imitates]);
    if (imitates === undefined) expect(inspection).not.toHaveProperty("imitates");
  });
});

describe("the parts of a URL for display", () => {
  const raw = "https://login.accounts.example.co.uk:8443/path?q#f";

  test("emphasise the whole host when the registrable domain is unknown", () => {
    expect(inspectUrl(raw).parts).toEqual({
      scheme: "https://",
      subdomain: "",
      registrable: "login.accounts.example.co.uk",
      port: ":8443",
      rest: "/path?q#f",
    });
  });

  test("emphasise the registrable domain when it is known", () => {
    expect(inspectUrl(raw, { getRegistrableDomain: lastThreeLabels }).parts).toEqual({
      scheme: "https://",
      subdomain: "login.accounts.",
      registrable: "example.co.uk",
      port: ":8443",
      rest: "/path?q#f",
    });
    expect(
      inspectUrl("https://example.co.uk", { getRegistrableDomain: lastThreeLabels }).parts,
    ).toMatchObject({
      subdomain: "",
      registrable: "example.co.uk",
    });
  });

  test.each(["good.example", "ample.co.uk", "login", "", undefined])(
    "emphasise the whole host when getRegistrableDomain returns %j",
    (answer) => {
      expect(inspectUrl(raw, { getRegistrableDomain: () => answer }).parts).toMatchObject({
        subdomain: "",
        registrable: "login.accounts.example.co.uk",
      });
    },
  );

  test("never request the registrable domain of a blocked URL", () => {
    const asked: string[] = [];
    const ask = (host: string): undefined => void asked.push(host);
    inspectUrl("https://user@example.com", { getRegistrableDomain: ask });
    inspectUrl("no URL", { getRegistrableDomain: ask });
    expect(asked).toEqual([]);
  });

  test("show http for a page on this machine", () => {
    expect(inspectUrl("http://localhost/x").parts).toMatchObject({ scheme: "http://", rest: "/x" });
  });
});

describe("any text, inspected as a URL,", () => {
  const tricky = fc.constantFrom(
    ...Array.from(
      "/:@?#\\.%[]-_ \t\n\u0000\u00ad\u200b\u200d\u202e\u2066\ud800\u2044\uff0e\u3002аоеьӏαηսｅ１ー一💩",
    ),
  );
  const chunk = fc.oneof(
    tricky,
    fc.constantFrom(
      "https://",
      "http://",
      "https:",
      "javascript:",
      "data:",
      "xn--",
      "localhost",
      "127.0.0.1",
      "[::1]",
    ),
    fc.constantFrom(
      "user:pass@",
      ":8443",
      ":443",
      "example.com",
      ".example",
      "apple",
      "xn--80ak6aa92e",
      "%2e",
      "0x7f",
    ),
    fc.string({ unit: "binary", maxLength: 3 }),
  );
  const scheme = fc.constantFrom("https://", "https://", "https://", "http://", "http://", "https:", "");
  const text = fc.oneof(
    fc.tuple(scheme, fc.array(chunk, { maxLength: 8 })).map(([start, chunks]) => start + chunks.join("")),
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.string({ unit: "binary" }),
  );
  const safe = /^(?:https:\/\/|http:\/\/(?:localhost|[^/:]+\.localhost|127(?:\.\d+){3}|\[::1\])(?:[:/]|$))/;

  test("is inspected without an error, and blocked unless it is https or http to this machine", () => {
    fc.assert(
      fc.property(text, (raw) => {
        const { verdict, href } = inspectUrl(raw);
        const parsed = URL.canParse(raw) ? new URL(raw) : undefined;
        expect(href).toBe(parsed?.href ?? "");
        const openable =
          parsed !== undefined && parsed.username + parsed.password === "" && safe.test(parsed.href);
        expect(openable || verdict === "block").toBe(true);
      }),
      runs,
    );
  });

  test("is blocked if the user cannot see all of it", () => {
    const unseen = fc.constantFrom(
      ...Array.from(" \t\n\u0000\u007f\u00ad\u061c\u200b\u200d\u202e\u2060\u2066\u2800\ufeff\\"),
    );
    fc.assert(
      fc.property(text, unseen, text, (before, character, after) => {
        expect(inspectUrl(before + character + after).verdict).toBe("block");
      }),
      runs,
    );
  });

  test("is shown completely, in ASCII, as it will be opened", () => {
    fc.assert(
      fc.property(text, (raw) => {
        const inspection = inspectUrl(raw, {
          getRegistrableDomain: lastThreeLabels,
        });
        expect(join(inspection)).toBe(inspection.href);
        if (inspection.verdict === "block") return;
        expect(inspection.href).toMatch(/^[!-~]+$/);
        expect(inspection.parts.subdomain + inspection.parts.registrable).toBe(inspection.asciiHost);
        expect(new URL(inspection.href).hostname).toBe(inspection.asciiHost);
      }),
      runs,
    );
  });

  test("has a verdict that matches its reasons, and the same verdict in canonical form", () => {
    fc.assert(
      fc.property(text, (raw) => {
        const first = inspectUrl(raw);
        expect(first.verdict === "ok").toBe(first.reasons.length === 0);
        expect(new Set(first.reasons).size).toBe(first.reasons.length);
        if (first.verdict === "block") return;
        const again = inspectUrl(first.href);
        const reasons = first.reasons.filter((reason) => reason !== "host-differs");
        const verdict = reasons.length === 0 ? "ok" : "warn";
        // If only the text differs from the address, the canonical form has no reason for a warning.
        const tier = verdict === "ok" ? "ok" : first.tier === "caution" ? again.tier : first.tier;
        expect(again).toEqual({ ...first, verdict, tier, reasons });
      }),
      runs,
    );
  });

  test("has a decoded host only if the browser encodes it to the same name", () => {
    const label = fc.string({
      unit: fc.constantFrom(...Array.from("аеорсäßçñøλώθกดสอ日本語カナабвгд-ab1")),
      minLength: 1,
      maxLength: 9,
    });
    fc.assert(
      fc.property(
        fc.oneof(
          label,
          label.map((name) => `xn--${name}`),
          text,
        ),
        (name) => {
          const { unicodeHost, asciiHost } = inspectUrl(`https://${name}.example/`);
          if (unicodeHost === undefined) return;
          expect(new URL(`https://${unicodeHost}/`).hostname).toBe(asciiHost);
          expect(inspectUrl(`https://${asciiHost}/`).unicodeHost).toBe(unicodeHost);
        },
      ),
      runs,
    );
  });

  test.each<[name: string, raw: string]>([
    ["slashes", `https:${"/".repeat(1e6)}`],
    ["colons", `https://${":".repeat(1e6)}`],
    ["digits after the host", `https://a${":1".repeat(1e6)}x`],
    ["at signs", `https://${"@".repeat(1e6)}`],
    ["dots", `https://${".".repeat(1e6)}`],
    ["labels", `https://${"a.".repeat(1e6)}`],
    ["an encoded label", `https://xn--${"a9".repeat(1e6)}`],
    ["an international label", `https://${"аü".repeat(5e5)}`],
    ["letters", "a".repeat(1e6)],
    ["spaces", `https://a/${" ".repeat(1e6)}`],
  ])("is inspected when it has a million %s", (_name, raw) => {
    expect(inspectUrl(raw).verdict).toBe("block");
  });

  test("may have a path of a million characters", () => {
    const raw = `https://example.com/${"a/".repeat(5e5)}`;
    expect(inspectUrl(raw)).toMatchObject({ verdict: "ok", href: raw });
  });
});
