import axe from "axe-core";
import { expect } from "vitest";

/** No axe violation on the page. Colours need a real browser: the stories check them. */
export async function expectAccessible(): Promise<void> {
  const { violations } = await axe.run(document.body, { rules: { "color-contrast": { enabled: false } } });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
}
