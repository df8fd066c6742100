import { expect, within } from "storybook/test";
import preview from "../.storybook/preview.tsx";
import { dark, narrow, rtl } from "./looks.ts";
import { Protocols } from "./protocols.tsx";

/**
 * The messages of each protocol, which tests record with other companies' servers and clients, beside the card that the
 * user saw. `npm run protocols` records them again.
 */
const meta = preview.meta({
  title: "Journeys/One card, every protocol",
  component: Protocols,
  // The page shows the same card many times, each with the same name.
  parameters: { column: false, a11y: { config: { rules: [{ id: "landmark-unique", enabled: false }] } } },
});

export const All = meta.story({
  async play({ canvas, userEvent }) {
    const mcp = within(canvas.getByRole("region", { name: "MCP: servers ask our agent" }));
    const row = mcp.getByRole("heading", { name: "form, accepted" }).parentElement;
    const summary = row?.querySelector("summary");
    await expect(summary).toHaveTextContent("2025-06-18");
    if (summary) await userEvent.click(summary);
    await expect(row?.querySelectorAll("details[open] pre")[1]).toHaveTextContent('"elicitation/create"');
  },
});

// For the tests only: axe finds no violation in any look of the toolbar.
export const Dark = All.extend({ ...dark, tags: ["!dev"] });
export const Rtl = All.extend({ ...rtl, tags: ["!dev"] });
export const Narrow = All.extend({ ...narrow, tags: ["!dev"] });
