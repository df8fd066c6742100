import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { install, pinnedNode, root } from "./bootstrap.mjs";

let project: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "bootstrap-"));
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(project, { recursive: true });
});

const json = (path: string, value: unknown) => writeFileSync(join(project, path), JSON.stringify(value));

/** A project whose only package comes from its own folder, so that npm needs no network. */
function writeProject(version: string) {
  mkdirSync(join(project, "part"), { recursive: true });
  const dependencies = { part: "file:part" };
  json("part/package.json", { name: "part", version });
  json("package.json", { name: "project", version: "1.0.0", dependencies });
  json("package-lock.json", {
    name: "project",
    version: "1.0.0",
    lockfileVersion: 3,
    packages: {
      "": { name: "project", version: "1.0.0", dependencies },
      "node_modules/part": { resolved: "part", link: true },
      part: { version },
    },
  });
}

describe("npm start and npm test on a fresh clone", () => {
  it("install the packages, and do not install them again", async () => {
    writeProject("1.0.0");
    expect(await install(project)).toBe(true);
    expect(existsSync(join(project, "node_modules/part/package.json"))).toBe(true);
    expect(await install(project)).toBe(false);
  });

  it("install the packages again when the lockfile has changed", async () => {
    writeProject("1.0.0");
    await install(project);
    const past = new Date(Date.now() - 60_000);
    utimesSync(join(project, "node_modules/.package-lock.json"), past, past);
    writeProject("1.0.1");
    expect(await install(project)).toBe(true);
    expect(await install(project)).toBe(false);
  });

  it("accept packages that the user has installed by hand afterwards", async () => {
    writeProject("1.0.0");
    await install(project);
    writeProject("1.0.1");
    const installed = join(project, "node_modules/.package-lock.json");
    const future = new Date(statSync(join(project, "package-lock.json")).mtimeMs + 1000);
    utimesSync(installed, future, future);
    expect(await install(project)).toBe(false);
  });

  it("install again after an interrupted installation", async () => {
    writeProject("1.0.0");
    mkdirSync(join(project, "node_modules"));
    expect(await install(project)).toBe(true);
  });

  it("report npm's error when npm fails", async () => {
    writeProject("1.0.0");
    json("package.json", { name: "project", version: "1.0.0", dependencies: { other: "file:other" } });
    await expect(install(project)).rejects.toThrow(
      /^elicit-kit: installing the packages failed \(npm ci, exit code 1\)\. npm said:[^]*Missing: other/,
    );
  });

  it("say that the lockfile is missing", async () => {
    await expect(install(project)).rejects.toThrow("elicit-kit: package-lock.json is missing.");
  });
});

describe("the pinned Node.js", () => {
  it("is missing in a project that has not installed it", () => {
    expect(pinnedNode(project)).toBeUndefined();
  });

  it("is not used if it cannot run on this machine", () => {
    mkdirSync(join(project, "node_modules/.bin"), { recursive: true });
    writeFileSync(join(project, "node_modules/.bin/node"), "not a program", { mode: 0o755 });
    expect(pinnedNode(project)).toBeUndefined();
  });
});

describe("a program that is started with the pinned Node.js", () => {
  it("gets the signals, and its exit code is passed on", async () => {
    const inner = join(project, "inner.mjs");
    writeFileSync(
      inner,
      `process.on("SIGTERM", () => { console.log("cleaned up"); process.exit(7); }); setInterval(() => {}, 1000); console.log("ready");`,
    );
    const outer = join(project, "outer.mjs");
    writeFileSync(
      outer,
      `import { run } from ${JSON.stringify(join(root, "tools/child.mjs"))};
      const { code, interrupted } = await run(process.execPath, [${JSON.stringify(inner)}], { cwd: "/" });
      console.log(interrupted);
      process.exit(code);`,
    );
    const child = spawn(process.execPath, [outer], { stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (output === "ready\n") child.kill("SIGTERM");
    });
    const [code] = await once(child, "close");
    expect(output).toBe("ready\ncleaned up\ntrue\n");
    expect(code).toBe(7);
  });
});

describe("a fresh clone", () => {
  it.each(["start.mjs", "test.mjs", "test-long.mjs"])(
    "runs %s without a single installed package",
    (script) => {
      mkdirSync(join(project, "tools"));
      for (const file of readdirSync(join(root, "tools")).filter((name) => name.endsWith(".mjs"))) {
        copyFileSync(join(root, "tools", file), join(project, "tools", file));
      }
      const { status, stderr } = spawnSync(process.execPath, [join(project, "tools", script)], {
        encoding: "utf8",
      });
      expect(stderr).toBe(
        "elicit-kit: package-lock.json is missing. Restore it with `git checkout package-lock.json`.\n",
      );
      expect(status).toBe(1);
    },
  );
});
