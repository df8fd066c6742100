/** Mail addresses and links as users type and paste them, in form fields with those formats. */
import { parseRequestedSchema, validate } from "elicit-kit/form";
import { expect } from "vitest";
import { fieldCase } from "./field-case.ts";

/** What the agent gets for a text, or the code of the error that the user sees. */
function sent(format: "email" | "uri", typed: string): unknown {
  const parsed = parseRequestedSchema({ type: "object", properties: { it: { type: "string", format } } });
  if (!parsed.ok) throw new Error("no form");
  const read = validate(parsed.fields, { it: typed });
  return read.ok ? read.content["it"] : read.errors["it"]?.code;
}

fieldCase(
  {
    sources: [
      "the-djmaze/snappymail#436",
      "RocketChat/Rocket.Chat#25906",
      "mozilla/fxa-content-server#519",
      "coi-dev/ox-coi#397",
    ],
    before: "failed",
  },
  "an address or a link with spaces around it, as keyboards and clipboards add them, is taken without them",
  () => {
    expect(sent("email", "ada@example.com ")).toBe("ada@example.com");
    expect(sent("email", "\u00a0ada@example.com\n")).toBe("ada@example.com");
    expect(sent("uri", " https://example.com/a?b=1 ")).toBe("https://example.com/a?b=1");
    expect(sent("email", "   ")).toBeUndefined();
    expect(sent("email", "ada @example.com")).toBe("email");
  },
);

fieldCase(
  {
    sources: [
      "sanity-io/sanity#707",
      "perfectline/validates_url#107",
      "python-jsonschema/jsonschema#269",
      "twitter-archive/twitter-text-rb#13",
    ],
    before: "failed",
  },
  "a link with letters of any language is taken, and sent in the ASCII form that servers accept",
  () => {
    expect(sent("uri", "https://ru.wikipedia.org/wiki/Зонтичные")).toBe(
      "https://ru.wikipedia.org/wiki/%D0%97%D0%BE%D0%BD%D1%82%D0%B8%D1%87%D0%BD%D1%8B%D0%B5",
    );
    expect(sent("uri", "https://www.tästdomäin.example/?q=ö#ä")).toBe(
      "https://www.xn--tstdomin-0zaf.example/?q=%C3%B6#%C3%A4",
    );
    // A link in ASCII stays as it was typed.
    expect(sent("uri", "HTTPS://Example.com")).toBe("HTTPS://Example.com");
    expect(sent("uri", "Köln")).toBe("uri");
  },
);

fieldCase(
  { sources: ["victorjonsson/jQuery-Form-Validator#204", "gbif/gbif-api#20"], before: "failed" },
  "a mail address at a domain in any script is taken, and sent with the ASCII form of the domain",
  () => {
    expect(sent("email", "ada@münchen.example")).toBe("ada@xn--mnchen-3ya.example");
    expect(sent("email", "ada@डाटा.example")).toBe("ada@xn--c2bd1gb.example");
    // Without an ASCII form of the name before the @, servers refuse it.
    expect(sent("email", "अजय@example.com")).toBe("email");
    for (const trick of ["ada@evil.example/ü", "ada@ü:80", "ada@", "ü"])
      expect(sent("email", trick)).toBe("email");
  },
);

fieldCase(
  {
    sources: ["whatwg/html#1611", "FluentValidation/FluentValidation#524", "Ylianst/MeshCentral#25"],
    before: "passed",
  },
  "a mail address at a new or an encoded top-level domain is taken as it is",
  () => {
    for (const address of [
      "foo@bar.rocks",
      "a@b.versicherung",
      "user@xn--p8sv8u7bx89m.xn--fiqs8s",
      "aa@aa.bb-cc.org",
    ]) {
      expect(sent("email", address)).toBe(address);
    }
  },
);
