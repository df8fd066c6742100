/**
 * Loads the code that a page loads with its first request, so that a test sees each change at once. Tests of this code
 * being absent, late or missing reset the modules: `late-desk.test.ts`.
 */
import { lateDesk } from "../src/client/late-desk.ts";

await lateDesk.load();
