import { tool } from "ai";
import type { AgentTool } from "elicit-kit/agent";
import { createElicitor } from "elicit-kit/runtime";
import { z } from "zod";

/** The layouts that the user can choose from, with a preview of each. */
const LAYOUTS = [
  {
    value: "table",
    label: "Table",
    description: "One row for each change",
    preview:
      "| Change      | Since |\n| ----------- | ----- |\n| Previews    |   0.1 |\n| More time   |   0.1 |",
  },
  {
    value: "list",
    label: "List",
    description: "One line for each change",
    preview: "Changes in 0.1\n\n- Options have previews\n- Users can get more time",
  },
  {
    value: "letter",
    label: "Letter",
    description: "A few sentences",
    preview:
      "Dear users,\n\nin this release, options have previews,\nand you can get more time for an answer.",
  },
] as const;

/** Asks for the layout of the release notes, shows what each would look like, and has one if the user has no wish. */
export const writeNotes: AgentTool = ({ turn, requester }) =>
  tool({
    title: "Write the release notes",
    description: "Writes the release notes. Asks the user for the layout by itself.",
    inputSchema: z.object({}),
    async execute(_input, { toolCallId }) {
      const ask = createElicitor({
        turn,
        tool: { id: "write_notes", name: "write_notes" },
        toolCallId,
        requester,
      });
      const layout = await ask.choose("Which layout shall the release notes have?", LAYOUTS, {
        fallback: "list",
        delegate: true,
      });
      if (layout.outcome !== "accepted") return layout.text;
      const who = layout.delegated ? ": the user left the layout to the agent" : "";
      return `The release notes are a ${layout.value}${who}.`;
    },
  });
