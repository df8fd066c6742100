import { expect, onTestFinished, test, vi } from "vitest";
import fc from "fast-check";
import { TOKENS_CSS } from "../../../look/tokens.ts";
import { createMemoryCredentials } from "../../ports/credentials.ts";
import { asking, CONNECT, createTestRuntime } from "../../../../test/stages/test-runtime.ts";
import { SURFACES, accentStyle, type Brand, contrastOf } from "./brand.ts";
import { createHostedPage } from "../../index.ts";

const ORIGIN = "https://auth.example.com";
const LOGO = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg"/>')}`;

function pageWith(brand: Brand) {
  const { elicitations } = createTestRuntime(asking(CONNECT));
  const page = createHostedPage({
    origin: ORIGIN,
    vouch: { url: "https://chat.example.com/run" },
    elicitations,
    credentials: createMemoryCredentials(),
    providers: {},
    brand,
    onError: () => {},
  });
  return (path: string) => page.fetch(new Request(ORIGIN + path));
}

const colour = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, "0")}`);

/** The colours of a custom property in both schemes. */
function colours(css: string, name: string): readonly string[] {
  const [, light = "", dark = ""] =
    new RegExp(`${name}: light-dark\\(([^,]+), ((?:[^()]|\\([^)]*\\))+)\\)`).exec(css) ?? [];
  return [light, dark];
}

test("text is readable on any brand colour", () => {
  fc.assert(
    fc.property(colour, colour, (light, dark) => {
      const { css } = accentStyle({ light, dark });
      const [onLight = "", onDark = ""] = colours(css, "--elicit-on-accent");
      expect(contrastOf(light, onLight)).toBeGreaterThanOrEqual(4.5);
      expect(contrastOf(dark, onDark)).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

test("the focus ring and the edge of the main button are visible in any brand colour", () => {
  fc.assert(
    fc.property(colour, (accent) => {
      const { css } = accentStyle(accent);
      for (const name of ["--elicit-focus", "--page-primary-edge"]) {
        colours(css, name).forEach((drawn, scheme) => {
          const surface = scheme === 0 ? SURFACES.light : SURFACES.dark;
          // All other colours are tokens, whose contrast is tested elsewhere.
          const isSeen = drawn.startsWith("var(") || contrastOf(drawn, surface) >= 3;
          expect([name, drawn, isSeen]).toEqual([name, drawn, true]);
        });
      }
    }),
  );
});

test("the contrast of a colour is measured against the backgrounds of the cards", () => {
  const [light = "", dark = ""] = colours(TOKENS_CSS, "--elicit-surface");
  expect([contrastOf(light, SURFACES.light), contrastOf(dark, SURFACES.dark)]).toEqual([1, 1]);
});

test("contrast is computed as WCAG defines it", () => {
  expect(contrastOf("#fff", "#000")).toBe(21);
  expect(contrastOf("#767676", "#ffffff")).toBeCloseTo(4.54, 2);
  expect(contrastOf("#777", "#fff")).toBeCloseTo(4.48, 2);
});

test("in development, the console reports how the page adapts a colour with too little contrast", () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  pageWith({ name: "Acme", accent: "#ffd400" });
  pageWith({ name: "Acme", accent: { light: "#0b57d0", dark: "#101018" } });
  expect(warn.mock.calls.map(([text]) => String(text))).toEqual([
    "elicit-kit: White text on brand.accent #ffd400 has a contrast of 1.4, and text needs 4.5, so the page writes on it in black.",
    expect.stringMatching(
      /^elicit-kit: brand\.accent #ffd400 has a contrast of 1\.4 to the light page, .* an edge/,
    ),
    expect.stringMatching(
      /^elicit-kit: brand\.accent #101018 has a contrast of 1\.0 to the dark page, .* an edge/,
    ),
  ]);
  warn.mockClear();
  vi.stubEnv("NODE_ENV", "production");
  onTestFinished(() => void vi.unstubAllEnvs());
  pageWith({ name: "Acme", accent: "#ffd400" });
  vi.unstubAllEnvs();
  pageWith({ name: "Acme", accent: { light: "#0b57d0", dark: "#a8c7fa" } });
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
});

test("every page has the brand's name and logo, and the style has its colour", async () => {
  const load = pageWith({ name: "Acme & Co", logoDataUrl: LOGO, accent: "#0b57d0" });
  const page = await load("/auth/connect");
  const text = await page.text();
  expect(text).toContain('<span class="name">Acme &amp; Co</span>');
  expect(text).toContain("<title>This link cannot be used · Acme &amp; Co</title>");
  const path = /<img class="logo" alt="" src="([^"]+)"/.exec(text)?.[1] ?? "";
  expect(page.headers.get("content-security-policy")).toContain("img-src 'self';");
  const logo = await load(path);
  expect([logo.status, logo.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
  // An SVG image that is opened as a page runs no scripts.
  expect(logo.headers.get("content-security-policy")).toMatch(/^default-src 'none'; .*sandbox$/);
  expect(text).toContain("--elicit-accent: light-dark(#0b57d0, #0b57d0);");
  expect((await load("/auth/images/7")).status).toBe(404);
  expect((await load("/favicon.ico")).status).toBe(204);
});

test("without a logo the page shows the brand's first letter, and loads no images", async () => {
  const page = await pageWith({ name: "émile" })("/auth/connect");
  expect(await page.text()).toContain('<span class="logo" data-letter aria-hidden="true">É</span>');
  expect(page.headers.get("content-security-policy")).not.toContain("img-src");
});

test.each<[string, Brand, string]>([
  ["an empty name", { name: " " }, "brand.name of a hosted page must not be empty"],
  [
    "a colour by name",
    { name: "A", accent: "red" },
    "brand.accent of a hosted page must be a colour as #rgb",
  ],
  ["a colour that ends the rule", { name: "A", accent: "#fff}*{" }, "must be a colour"],
  [
    "a logo on another site",
    { name: "A", logoDataUrl: "https://a.example/logo.png" },
    "brand.logoDataUrl must be",
  ],
  ["a logo that is a page", { name: "A", logoDataUrl: "data:text/html,<b>" }, "brand.logoDataUrl must be"],
  [
    "a logo that is not base64",
    { name: "A", logoDataUrl: "data:image/png;base64,%%" },
    "brand.logoDataUrl must be",
  ],
  [
    "a logo of 65 KiB",
    { name: "A", logoDataUrl: `data:image/png;base64,${btoa("x".repeat(65 * 1024))}` },
    "at most 64 KiB, but it has 65 KiB",
  ],
])("%s is refused at the start", (_, brand, message) => {
  expect(() => pageWith(brand)).toThrow(message);
});
