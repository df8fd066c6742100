/**
 * Builds an app with webpack, for `bench/growth.ts`. It is JavaScript because webpack is a package of
 * `bench/package.json`.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import webpack from "webpack";

const root = fileURLToPath(new URL("../..", import.meta.url));
const inMemory = (code) => `data:text/javascript,${encodeURIComponent(code)}`;

export async function webpackApp(appOf, code) {
  const path = mkdtempSync(join(tmpdir(), "elicit-kit-webpack-"));
  const compiler = webpack({
    mode: "production",
    context: root,
    entry: inMemory(appOf(inMemory(code))),
    output: { path },
    performance: false,
    module: {
      rules: [{ test: /\.tsx?$/, use: fileURLToPath(new URL("typescript-loader.mjs", import.meta.url)) }],
    },
  });
  try {
    const stats = await new Promise((resolve, reject) => {
      compiler.run((error, done) => (error === null ? resolve(done) : reject(error)));
    });
    const { errors, entrypoints } = stats.toJson({ all: false, errors: true, entrypoints: true });
    if (errors.length > 0) throw new Error(`elicit-kit: webpack has built nothing. ${errors[0].message}`);
    const files = entrypoints.main.assets.map(({ name }) => readFileSync(join(path, name)));
    return files.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).byteLength, 0);
  } finally {
    await new Promise((resolve) => compiler.close(resolve));
    rmSync(path, { recursive: true, force: true });
  }
}
