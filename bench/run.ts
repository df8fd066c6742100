import { measureEvents } from "./client.ts";
import { measureForm } from "./form.ts";
import { measureSizes } from "./sizes.ts";

const kib = (bytes: number): string => `${(bytes / 1024).toFixed(2)} KiB`;

console.log("First load, minified and gzipped:");
for (const { name, gzip, limit } of await measureSizes()) {
  console.log(
    `  ${name.padEnd(22)} ${kib(gzip).padStart(10)}  of ${kib(limit)}  (${(gzip / limit).toFixed(2)})`,
  );
}

function compare(name: string, value: number, of: string, reference: number, limit: number): void {
  const ratio = (value / reference).toFixed(2);
  console.log(
    `  ${name.padEnd(22)} ${value.toFixed(1).padStart(8)} µs  ${ratio} × ${of} of ${reference.toFixed(1)} µs (limit ${limit})`,
  );
}

console.log("An answer of 20 fields, CPU time:");
const { cold, ajvCold, warm, ajvWarm } = measureForm();
compare("new schema", cold, "ajv", ajvCold, 1);
compare("known schema", warm, "ajv", ajvWarm, 3);

console.log("100,000 events over 1,000 requests, CPU time of one event:");
const { first, last, growth } = measureEvents();
console.log(
  `  early ${first.toFixed(1)} µs, late ${last.toFixed(1)} µs: growth ${growth.toFixed(2)} (limit 1.2)`,
);
