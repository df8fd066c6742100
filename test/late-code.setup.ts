/**
 * Loads the code that a page loads with its first request, so that a test sees each change at once. Tests of this code
 * being absent, late or missing reset the modules: `late-cards.test.tsx`.
 */
import { lateCards, lateForm } from "../src/react/elicitations/lazy-cards.ts";

await Promise.all([lateCards.load(), lateForm.load()]);
