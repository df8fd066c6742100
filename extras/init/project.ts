import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";

/** The app cannot be set up in its current state. The message says what to change. */
export class ProjectError extends Error {}

/** What `init` has detected about the app in a folder. */
export interface Project {
  readonly folder: string;
  readonly framework: "next" | "vite-hono" | "vite-express";
  /** The name that Next.js gives the file that sees each request first. */
  readonly proxy: "proxy" | "middleware";
  readonly aiSdk: 5 | 6 | 7;
  readonly typescript: boolean;
  /** The prefix of paths of the page's files: `src/` or empty. */
  readonly base: "" | "src/";
  /** The folder of the agent's files. In a Vite app it is outside `src`, which is compiled for the browser. */
  readonly agent: "agent" | "src/agent";
  readonly manager: Manager;
  /** Names of the packages that package.json has. */
  readonly packages: ReadonlySet<string>;
  /** Where the app has a chat. */
  readonly chat: Place | undefined;
  /** Where the app creates a Hono or Express server. */
  readonly server: Place | undefined;
  /** Where the Vite configuration begins. */
  readonly viteConfig: Place | undefined;
}

export interface Place {
  /** The path of the file, such as `src/App.tsx`. */
  readonly file: string;
  /** The text of the whole file. */
  readonly text: string;
  /** The index in the text at which the match begins. */
  readonly index: number;
}

export type Manager = "npm" | "pnpm" | "yarn" | "bun";

const GUIDE = "node_modules/elicit-kit/docs/start/quickstart.md";
const LOCKFILES: Readonly<Record<string, Manager>> = {
  "pnpm-lock.yaml": "pnpm",
  "yarn.lock": "yarn",
  "bun.lock": "bun",
  "bun.lockb": "bun",
  "package-lock.json": "npm",
};

/** @throws {ProjectError} if `init` does not know this kind of app */
export function inspectProject(folder: string): Project {
  const packages = readPackages(folder);
  const has = (path: string) => existsSync(join(folder, path));
  const aiSdk = majorOf(folder, packages, "ai") ?? 7;
  if (aiSdk !== 5 && aiSdk !== 6 && aiSdk !== 7) {
    throw new ProjectError(`This app has version ${aiSdk} of ai. Install 7, 6 or 5, and run init again.`);
  }
  if ((majorOf(folder, packages, "zod") ?? 4) < 4) {
    throw new ProjectError("This app has zod 3, and the kit needs 4.6 or newer. Run: npm install zod@4");
  }
  const framework = frameworkOf(packages);
  const isNext = framework === "next";
  const inSource = isNext ? has("src/app") || has("src/pages") : has("src");
  return {
    folder,
    framework,
    proxy: (majorOf(folder, packages, "next") ?? 16) < 16 ? "middleware" : "proxy",
    aiSdk,
    typescript: has("tsconfig.json"),
    base: inSource ? "src/" : "",
    agent: isNext && inSource ? "src/agent" : "agent",
    manager: Object.entries(LOCKFILES).find(([lockfile]) => has(lockfile))?.[1] ?? "npm",
    packages: new Set(packages.keys()),
    chat: findPlace(folder, /\buseChat(?:<[^>]*>)?\(/, WRITTEN_CHAT),
    server: isNext ? undefined : findPlace(folder, /\bnew Hono\b|(?<== )express\(\)/, WRITTEN_SERVER),
    viteConfig: isNext ? undefined : findPlace(folder, /\bdefineConfig\(\{/),
  };
}

/** The packages of package.json, and the range of each. */
function readPackages(folder: string): ReadonlyMap<string, string> {
  type Manifest = { dependencies?: Record<string, string>; devDependencies?: Record<string, string> };
  let manifest: Manifest | null = null;
  try {
    manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  } catch {
    // The same error as for a file without an object.
  }
  if (manifest === null || typeof manifest !== "object") {
    throw new ProjectError(
      `There is no package.json that can be read in ${folder}. Run this in the folder of your app, or make one: npx create-next-app@latest`,
    );
  }
  return new Map(Object.entries({ ...manifest.devDependencies, ...manifest.dependencies }));
}

function frameworkOf(packages: ReadonlyMap<string, string>): Project["framework"] {
  if (packages.has("next")) return "next";
  if (packages.has("vite") && packages.has("react")) {
    return packages.has("express") && !packages.has("hono") ? "vite-express" : "vite-hono";
  }
  throw new ProjectError(
    `This is neither Next.js nor Vite with React, which are what init knows. By hand it is five files: ${GUIDE}`,
  );
}

/** The major version of a package: the installed one, or else the one in package.json. */
function majorOf(folder: string, packages: ReadonlyMap<string, string>, name: string): number | undefined {
  const range = packages.get(name);
  if (range === undefined) return undefined;
  let version = range;
  try {
    ({ version } = JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8")));
  } catch {
    // The package is not installed yet.
  }
  const major = /\d+/.exec(version)?.[0];
  return major === undefined ? undefined : Number(major);
}

const SKIPPED = /^(?:node_modules|dist|build|out|coverage|public|\..*)$/;
const CODE = /(?<!\.(?:test|spec|stories|d))\.[jt]sx?$/;

/** What the files that `init` has written contain: a second run must not take them for the user's. */
const WRITTEN_CHAT = /placeholder="Book me a hotel"/;
const WRITTEN_SERVER = /elicit-kit init wrote this server/;

/** The first match in the app's own code. Files with a match of `written` are not the app's own. */
function findPlace(folder: string, pattern: RegExp, written?: RegExp): Place | undefined {
  const folders = [folder];
  for (let current = folders.pop(); current !== undefined; current = folders.pop()) {
    for (const entry of readdirSync(current, { withFileTypes: true })) {
      const path = join(current, entry.name);
      if (entry.isDirectory() && !SKIPPED.test(entry.name)) folders.push(path);
      if (!entry.isFile() || !CODE.test(entry.name)) continue;
      const text = readFileSync(path, "utf8");
      const index = pattern.exec(text)?.index;
      const file = relative(folder, path).split(sep).join("/");
      if (index !== undefined && written?.test(text) !== true) return { file, text, index };
    }
  }
  return undefined;
}

/** The text of each file, by its path in the app. */
export type Files = Readonly<Record<string, string>>;

/** The options that the user passed to `init`. */
export interface Wanted {
  /** Use a script instead of a model and of an account provider. */
  readonly mock: boolean;
  /** Add the hosted page, with one provider. */
  readonly connect: boolean;
  /** Keep requests and turns in PostgreSQL. */
  readonly postgres: boolean;
}

/**
 * Beside Vite, Node runs the files itself and needs file extensions in imports; TypeScript wants those of the JavaScript,
 * as `create-vite` configures it.
 */
export function importOf(project: Project, path: string): string {
  return project.framework === "next" ? path : `${path}.js`;
}
