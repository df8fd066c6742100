import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const execute = promisify(execFile);
export const checkout = fileURLToPath(new URL("../..", import.meta.url));

interface Manifest {
  exports: Readonly<Record<string, string | { types: string; default: string }>>;
  dependencies: Readonly<Record<string, string>>;
  peerDependencies: Readonly<Record<string, string>>;
  peerDependenciesMeta: Readonly<Record<string, { optional: boolean }>>;
}

export interface Installed {
  /** An empty project that has only the package, its dependencies, and its peers. */
  project: string;
  tarball: string;
  /** The paths in the tarball. */
  files: readonly string[];
  /** The public names of the modules, such as `elicit-kit/client`. */
  modules: readonly string[];
  remove(): Promise<void>;
}

/** The environment of another project: without the npm settings of this one, which `npm run` passes on. */
export function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name)));
}

/** Packs the content of dist into a folder. */
export async function pack(folder: string): Promise<Pick<Installed, "tarball" | "files">> {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  // On Windows, `npm` is a script of a shell.
  const cli = process.env["npm_execpath"];
  const [command, ...rest] = cli?.endsWith("npm-cli.js")
    ? [process.execPath, cli, ...args]
    : ["npm", ...args];
  const { stdout } = await execute(command, rest, { cwd: checkout });
  // A list, and from npm 12 an object by the names of packages.
  const packed: Record<string, { filename: string; files: { path: string }[] }> = JSON.parse(stdout);
  const [first] = Object.values(packed);
  if (first === undefined) throw new Error("elicit-kit: npm has packed nothing.");
  const { filename, files } = first;
  return { tarball: join(folder, filename), files: files.map(({ path }) => path) };
}

/**
 * Packs the content of dist and installs it like a user would.
 *
 * @param peers names of the optional ones that are installed with it; without them, all
 */
export async function installPacked(peers?: readonly string[]): Promise<Installed> {
  const project = await mkdtemp(join(tmpdir(), "elicit-kit-package-"));
  const { tarball, files } = await pack(project);
  const home = join(project, "node_modules", "elicit-kit");
  await mkdir(home, { recursive: true });
  await execute("tar", ["-xzf", tarball, "-C", home, "--strip-components=1"]);
  const manifest = JSON.parse(await readFile(join(home, "package.json"), "utf8")) as Manifest;
  const besides = Object.keys(manifest.peerDependencies).filter(
    (name) =>
      peers === undefined || peers.includes(name) || manifest.peerDependenciesMeta[name]?.optional !== true,
  );
  for (const name of [...Object.keys(manifest.dependencies), ...besides]) {
    const place = join(project, "node_modules", name);
    await mkdir(dirname(place), { recursive: true });
    await symlink(join(checkout, "node_modules", name), place, "junction");
  }
  const modules = Object.entries(manifest.exports).flatMap(([path, target]) =>
    typeof target === "string" || path.endsWith(".css") ? [] : [`elicit-kit${path.slice(1)}`],
  );
  return {
    project,
    tarball,
    files,
    modules,
    remove: () => rm(project, { recursive: true, force: true }),
  };
}
