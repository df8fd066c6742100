/**
 * Measures the code that a page loads, the time that it takes, and the memory that it uses, compared with packages for
 * the same purpose: `node bench/run.ts`.
 */
import { measureEvents } from "./client.ts";
import { type Figure, report } from "./figures.ts";
import { measureForm } from "./form.ts";
import { installedWebpack, measureGrowth } from "./growth.ts";
import { measurePeerSizes, measureSizes } from "./sizes.ts";

const KiB = 1024;

const sizes = await measureSizes();
const parts = sizes.map(({ name, gzip, limit }): Figure => ({
  figure: `${name}, minified and gzipped`,
  unit: "KiB",
  ours: gzip / KiB,
  target: limit && limit / KiB,
}));
const growth = (await measureGrowth(await installedWebpack())).flatMap(
  ({ name, vite, webpack, esbuild, goal }): Figure[] => {
    const grown = (bundler: string, bytes: number): Figure => ({
      figure: `${name}, growth of an app of ${bundler} that has React`,
      unit: "KiB",
      ours: bytes / KiB,
    });
    return [
      { ...grown("Vite", vite), target: goal && goal / KiB },
      ...(webpack === undefined ? [] : [grown("webpack", webpack)]),
      grown("esbuild", esbuild),
    ];
  },
);
const beside = (await measurePeerSizes()).map(({ ours, name, gzip, times }): Figure => {
  const size = sizes.find((one) => one.name === ours);
  if (size === undefined) throw new Error(`elicit-kit: nothing called ${ours} is measured.`);
  return {
    figure: `${ours} beside another package`,
    unit: "KiB",
    ours: size.gzip / KiB,
    peer: { name, value: gzip / KiB },
    target: times,
  };
});

const { cold, ajvCold, warm, ajvWarm } = measureForm();
const { first, last } = await measureEvents();
report([
  ...parts,
  ...growth,
  ...beside,
  {
    figure: "an answer of 20 fields, schema seen for the first time, CPU",
    unit: "µs",
    ours: cold,
    peer: { name: "ajv compile and validate", value: ajvCold },
    target: 1,
  },
  {
    figure: "an answer of 20 fields, known schema, CPU",
    unit: "µs",
    ours: warm,
    peer: { name: "compiled ajv", value: ajvWarm },
    target: 3,
  },
  {
    figure: "the last of 100,000 events over 1,000 requests, CPU",
    unit: "µs",
    ours: last,
    peer: { name: "the first of them", value: first },
    target: 1.2,
  },
]);
