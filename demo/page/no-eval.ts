import { config } from "zod/mini";

// Zod, which the AI SDK uses to check messages, tests whether it may create code from strings. The content security
// policy of the page forbids that, and the browser logs an error for the attempt. Zod makes the test when the AI SDK
// loads, so this script is the first one in index.html.
config({ jitless: true });
