/** Removes the types, and leaves the rest to webpack. */
import { transform } from "esbuild";

export default async function typescriptLoader(source) {
  // In a file with JSX, a generic arrow function would be read as an element.
  // oxlint-disable-next-line oxc/no-this-in-exported-function -- webpack passes the file as `this`
  const loader = this.resourcePath.endsWith("x") ? "tsx" : "ts";
  const { code } = await transform(source, { loader, jsx: "automatic", target: "es2022" });
  return code;
}
