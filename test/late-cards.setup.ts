/** As `late-desk.setup.ts`, for the cards: `late-cards.test.tsx` tests them without. */
import { lateCards, lateDock, lateForm } from "../src/react/elicitations/lazy-cards.ts";

await Promise.all([lateCards.load(), lateDock.load(), lateForm.load()]);
