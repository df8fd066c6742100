/**
 * Loads the code that a page loads with its first message and its first request, so that a test sees each change at once.
 * Tests of this code being absent, late or missing reset the modules: `late-desk.test.ts`, `late-stream.test.ts`.
 */
import { lateStream } from "../src/ai-sdk/late-stream.ts";
import { lateDesk } from "../src/client/late-desk.ts";

await Promise.all([lateDesk.load(), lateStream.load()]);
