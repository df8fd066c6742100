import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The script of a program of development, such as `vite`, for Node.js to run: on Windows, node_modules/.bin has scripts of
 * a shell.
 *
 * @param {string} root
 * @param {string} name
 * @returns {string} a path
 */
export function programOf(root, name) {
  /** @type {{ packages: Record<string, { bin?: Record<string, string> }> }} */
  const { packages } = JSON.parse(readFileSync(join(root, "node_modules", ".package-lock.json"), "utf8"));
  for (const [path, { bin }] of Object.entries(packages)) {
    const script = bin?.[name];
    // Not that of a dependency of a dependency.
    if (script !== undefined && path.lastIndexOf("node_modules/") === 0) return join(root, path, script);
  }
  throw new Error(`elicit-kit: no installed package has the program ${name}. Run npm ci.`);
}
