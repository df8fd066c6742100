import { buildDemoPage, buildKit } from "../../tools/build.mjs";

/** The demo runs the built package, so what is tested is what would be published. */
export default async function build(): Promise<void> {
  await buildKit();
  await buildDemoPage();
}
