import fc from "fast-check";
import { expect, test } from "vitest";
import {
  cleanText,
  escapeMrkdwn,
  fallbackText,
  plainText,
  safeMarkdown,
  shorten,
  splitText,
} from "./text.ts";

const SURROGATE = /\p{Surrogate}/u;
const anyText = fc.string({
  unit: fc.constantFrom("a", " ", "\n", "é", "😀", "👩‍💻", "<", "!", "@", "&", "\ud83d", "\ude00", "\u202e"),
});

test("a text that is too long ends with an ellipsis, and no emoji is split", () => {
  expect(shorten("abcdef", 6)).toBe("abcdef");
  expect(shorten("abcdefg", 6)).toBe("abcde…");
  expect(shorten("😀😀😀", 4)).toBe("😀…");
  expect(shorten("ab👩‍💻cd", 6)).toBe("ab👩…");
  fc.assert(
    fc.property(anyText, fc.nat({ max: 20 }), (text, most) => {
      const short = shorten(cleanText(text), most + 1);
      expect(short.length).toBeLessThanOrEqual(most + 1);
      expect(SURROGATE.test(short)).toBe(false);
    }),
  );
});

test("a plain text is never empty, never exceeds its limit, and never shows emoji names as emoji", () => {
  expect(plainText(":wave: <!channel>", 75)).toEqual({
    type: "plain_text",
    text: ":wave: <!channel>",
    emoji: false,
  });
  expect(plainText("\u0000\u202e ", 10).text).toBe("–");
  fc.assert(
    fc.property(anyText, (text) => {
      const made = plainText(text, 24).text;
      expect(made.length).toBeGreaterThan(0);
      expect(made.length).toBeLessThanOrEqual(24);
    }),
  );
});

test("mentions, links and entities in a text are escaped in mrkdwn", () => {
  expect(escapeMrkdwn("<!channel> & <https://evil.example|click>")).toBe(
    "&lt;!channel&gt; &amp; &lt;https://evil.example|click&gt;",
  );
  expect(fallbackText("")).toBe("–");
  expect(fallbackText("<".repeat(5000)).length).toBeLessThanOrEqual(3000);
});

test("a model's mentions become plain text, even when they arrive in pieces, and its Markdown stays unchanged", () => {
  expect(safeMarkdown("**Hi** <https://example.com> <@U1> <!here>").text).toBe(
    "**Hi** <https://example.com> &lt;@U1> &lt;!here>",
  );
  fc.assert(
    fc.property(fc.array(anyText), (pieces) => {
      let sent = "";
      let rest = "";
      for (const piece of pieces) {
        const safe = safeMarkdown(rest + piece);
        sent += safe.text;
        rest = safe.rest;
      }
      sent += safeMarkdown(`${rest} `).text;
      expect(sent).not.toMatch(/<[!@]/);
      expect(SURROGATE.test(sent)).toBe(false);
    }),
  );
});

test("a long text is split without losing characters", () => {
  expect(splitText("one two three", 8)).toEqual(["one two ", "three"]);
  fc.assert(
    fc.property(anyText.map(cleanText), fc.integer({ min: 2, max: 12 }), (text, most) => {
      const pieces = splitText(text, most);
      expect(pieces.join("")).toBe(text);
      for (const piece of pieces) {
        expect(piece.length).toBeLessThanOrEqual(most);
        expect(SURROGATE.test(piece)).toBe(false);
      }
    }),
  );
});
