import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { build, type Rolldown } from "vite";

const folder = fileURLToPath(new URL(".", import.meta.url));
const ENTRY = `${folder}entry.ts`;

/** The modules that a page loads at first for `code`, with names as in the source. */
async function load(code: string): Promise<string> {
  const entry: Rolldown.Plugin = {
    name: "entry",
    resolveId: (id) => (id === ENTRY ? id : undefined),
    load: (id) => (id === ENTRY ? code : undefined),
  };
  const built = await build({
    configFile: false,
    logLevel: "silent",
    plugins: [entry],
    build: {
      write: false,
      minify: false,
      lib: { entry: ENTRY, formats: ["es"] },
      rolldownOptions: { external: /^react/ },
    },
  });
  const outputs = Array.isArray(built) ? built.flatMap(({ output }) => output) : [];
  const chunks = outputs.filter((output) => "isEntry" in output);
  // The entry, and its static imports without lazy chunks.
  const first = new Set(chunks.filter(({ isEntry }) => isEntry));
  for (const { imports } of first) {
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) first.add(chunk);
  }
  return Array.from(first, ({ code: text }) => text).join("");
}

describe("a page that imports", () => {
  it("Elicitations loads no card, no form and no words at first", async () => {
    const loaded = await load('export { Elicitations } from "./index.ts"');
    expect(loaded).toContain("function Elicitations(");
    expect(loaded).not.toMatch(
      /function (?:titleView|drawView|useFormRoot|questionPosition|usePartElement)\(/,
    );
    expect(loaded).not.toContain("Your answer is needed");
    expect(loaded.match(/\b(?:forwardRef|createContext)\w*\(/g)).toEqual([
      // Of the provider and the live region.
      expect.stringContaining("createContext"),
      expect.stringContaining("createContext"),
    ]);
  });

  it("ConnectPrompt loads views, but no parts and no form at first", async () => {
    const loaded = await load('export { ConnectPrompt } from "./cards.ts"');
    expect(loaded).toContain("function titleView(");
    expect(loaded).not.toMatch(/function (?:useFormRoot|usePartElement)\(/);
  });

  it("a single part loads no other part", async () => {
    const loaded = await load(
      'import { ConnectPromptParts } from "./parts.ts"; export const Url = ConnectPromptParts.Url;',
    );
    expect(loaded).toContain("function urlView(");
    expect(loaded).not.toContain("function titleView(");
    expect(loaded).not.toContain("useFormRoot");
  });

  it("the client and its channel load what answers requests only on demand", async () => {
    const loaded = await load(
      'export { createElicitationClient, createHttpChannel } from "../client/index.ts"',
    );
    expect(loaded).toContain("function createElicitationClient(");
    expect(loaded).not.toMatch(
      /function (?:createDesk|createHttpCalls|createItem|createPopup|inspectUrl|parseOnDemand|parseElicitationRequest)\(/,
    );
  });

  it("the code that answers requests loads the checks of patterns and of form answers only on demand", async () => {
    const loaded = await load('export { createDesk } from "../client/desk.ts"');
    expect(loaded).toContain("function parseOnDemand(");
    expect(loaded).toContain("function createProposals(");
    expect(loaded).not.toMatch(/function (?:isLinear|fitContent|findSecretFields)\(/);
  });

  it("the hook for other clients does not load the client of an AI SDK chat", async () => {
    const loaded = await load('export { useElicitationList } from "./index.ts"');
    expect(loaded).toContain("function useElicitationList(");
    expect(loaded).not.toMatch(/createChatTransport|createElicitation\(/);
  });

  it("only the hook loads no card", async () => {
    const loaded = await load('export { useElicitationList } from "./index.ts"');
    expect(loaded).not.toMatch(/drawView|catalogue/);
  });
});
