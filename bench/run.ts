import { measureSizes } from "./sizes.ts";

const kib = (bytes: number): string => `${(bytes / 1024).toFixed(2)} KiB`;

console.log("First load, minified and gzipped:");
for (const { name, gzip, limit } of await measureSizes()) {
  console.log(
    `  ${name.padEnd(22)} ${kib(gzip).padStart(10)}  of ${kib(limit)}  (${(gzip / limit).toFixed(2)})`,
  );
}
