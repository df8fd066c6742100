import { describe, expect, test } from "vitest";
import { type Showable, present, supportsOf } from "./present.ts";

const form = (title: string, message = "Where to?"): Showable => ({
  mode: "form",
  message,
  requestedSchema: { type: "object", properties: { field: { type: "string", title } } },
});
const CITY = form("City");
const PASSWORD = form("Password");
const DIGITS = form("Answer", "Type the 6 digits we texted you");
const PAGE: Showable = { mode: "url", url: "https://auth.example.com/connect" };
const LINK = "https://auth.example.com/auth/answer?elicitationId=e1";
const BOTH = { form: true, url: true };
const FORM = { form: true, url: false };
const URL_MODE = { form: false, url: true };
const NONE = { form: false, url: false };

describe("a form", () => {
  test("is shown by a client that supports forms", () => {
    expect(present(CITY, { modes: FORM, link: LINK })).toEqual({ as: "form" });
  });

  test("becomes a link to the answer page for a client that opens pages, and a link in a text for other clients", () => {
    expect(present(CITY, { modes: URL_MODE, link: LINK })).toEqual({ as: "url", url: LINK, answers: true });
    expect(present(CITY, { modes: NONE, link: LINK })).toEqual({ as: "link", url: LINK });
  });

  test("with a field that the protocol does not have becomes a link to the answer page, too", () => {
    const showing = { modes: BOTH, link: LINK, fits: () => false };
    expect(present(CITY, showing)).toEqual({ as: "url", url: LINK, answers: true });
    expect(present(CITY, { ...showing, link: undefined })).toMatchObject({ as: "refused" });
  });
});

test.each([BOTH, FORM, URL_MODE, NONE])(
  "a form that asks for a secret, in a field or its message, is never shown by a client that supports %j",
  (modes) => {
    for (const secret of [PASSWORD, DIGITS]) {
      const asPage = present(secret, { modes, link: LINK });
      expect(asPage).toEqual(modes.url ? { as: "url", url: LINK, answers: true } : { as: "link", url: LINK });
      const without = present(secret, { modes, link: undefined });
      const reason = expect.stringContaining(modes.form ? "asks for a secret" : 'the mode "form"');
      expect(without).toEqual({ as: "refused", reason });
      expect(present(secret, { modes: FORM, link: LINK, showsLinks: false })).toMatchObject({
        as: "refused",
      });
    }
  },
);

test("a page becomes a link in a text only if there is an answer page, and else the text names the missing mode", () => {
  expect(present(PAGE, { modes: BOTH, link: undefined })).toMatchObject({ as: "url", answers: false });
  expect(present(PAGE, { modes: FORM, link: LINK })).toEqual({
    as: "link",
    url: "https://auth.example.com/connect",
  });
  const reason = expect.stringContaining('the mode "url"');
  expect(present(PAGE, { modes: FORM, link: undefined })).toEqual({ as: "refused", reason });
});

test("a turn supports exactly the modes in which present() shows its requests", () => {
  for (const modes of [BOTH, FORM, URL_MODE, NONE]) {
    for (const hasAnswerPage of [true, false]) {
      for (const showsLinks of [true, false]) {
        const supports = supportsOf(modes, { hasAnswerPage, showsLinks });
        const shown = (asked: Showable) =>
          present(asked, { modes, showsLinks, link: hasAnswerPage ? LINK : undefined }).as !== "refused";
        expect(supports.url).toBe(shown(PAGE));
        expect(supports.form).toBe(shown(CITY));
        expect(supports.form && supports.secrets).toBe(shown(PASSWORD));
      }
    }
  }
});

test("a client that declares more modes can be asked the same questions or more", () => {
  for (const hasAnswerPage of [true, false]) {
    for (const mode of ["form", "url"] as const) {
      const asked = [NONE, FORM, BOTH].map((modes) => supportsOf(modes, { hasAnswerPage })[mode]);
      expect(asked).toEqual(asked.toSorted((one, other) => Number(one) - Number(other)));
    }
  }
});
