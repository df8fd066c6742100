import { tool } from "ai";
import type { AgentTool } from "elicit-kit/agent";
import { z } from "zod";

const trip = z
  .object({
    from: z.iso.date().meta({ title: "First day" }),
    to: z.iso.date().meta({ title: "Last day" }),
    budget: z
      .int()
      .min(100)
      .max(2000)
      .default(600)
      .meta({ title: "Budget", description: "In euros, for the whole trip", control: "slider" }),
    interests: z
      .array(z.enum(["Food", "Museums", "Beach"]))
      .min(1)
      .meta({ title: "What do you like?" }),
    notes: z
      .string()
      .max(500)
      .optional()
      .meta({ title: "Anything else?", examples: ["We travel with a dog"] }),
  })
  .refine(({ from, to }) => from <= to, { path: ["to"], error: "The last day is before the first." });

export const planTrip: AgentTool = ({ elicitor }) =>
  tool({
    description: "Plans a trip. Asks the user for everything by itself.",
    inputSchema: z.object({}),
    async execute(_, { toolCallId }) {
      const ask = elicitor(toolCallId);

      const kind = await ask.choose("What kind of trip?", [
        { value: "city", label: "A city" },
        { value: "sea", label: "The sea" },
      ]);
      if (kind.outcome !== "accepted") return kind.text;

      const plan = await ask.form("When, and for how much?", trip);
      if (plan.outcome !== "accepted") return plan.text;

      const { from, to, budget, interests } = plan.value;
      const book = await ask.confirm(`Book it for at most ${budget} euros?`);
      if (book.outcome !== "accepted") return book.text;
      if (!book.value) return "The user wants the plan, but no booking yet.";

      return `Booked: ${kind.value}, ${from} to ${to}, ${interests.join(" and ")}.`;
    },
  });
