import axe from "axe-core";
import { expect } from "vitest";

/** Expects no axe violation on the page. Colour contrast needs a real browser and is checked by the stories. */
export async function expectAccessible(): Promise<void> {
  const { violations } = await axe.run(document.body, { rules: { "color-contrast": { enabled: false } } });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
}
