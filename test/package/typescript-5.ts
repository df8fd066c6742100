/** Compiles against the packed types with TypeScript 5.9. Part of `npm run test:long`, which installs that. */
import { join } from "node:path";
import { compile, copyUses, RESOLUTIONS } from "./compile.ts";
import { checkout, installPacked } from "./installed.ts";

const tsc = join(checkout, "test", "fixtures", "typescript-5", "node_modules", "typescript", "lib", "tsc.js");
const { project, remove } = await installPacked();
try {
  await copyUses(project);
  for (const [name, options] of Object.entries(RESOLUTIONS)) {
    const complaints = await compile(project, tsc, { ...options, skipLibCheck: true });
    for (const line of complaints) console.error(line);
    console.log(`TypeScript 5.9, module resolution ${name}: ${complaints.length} complaints`);
    if (complaints.length > 0) process.exitCode = 1;
  }
} finally {
  await remove();
}
