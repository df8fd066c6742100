/** Removes the types, and leaves the rest to webpack. */
import { transform } from "esbuild";

export default async function typescriptLoader(source) {
  const { code } = await transform(source, { loader: "tsx", jsx: "automatic", target: "es2022" });
  return code;
}
