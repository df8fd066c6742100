import { z } from "zod/mini";

const text = z.string().check(z.maxLength(4000));

const act = z.discriminatedUnion("do", [
  z.object({ do: z.literal("say"), text, thread: z.optional(text) }),
  // Absent for elements of the modal.
  z.object({ do: z.literal("press"), ts: z.optional(text), button: text }),
  z.object({
    do: z.literal("enter"),
    label: text,
    entry: z.optional(z.union([text, z.number(), z.array(text)])),
  }),
  z.object({ do: z.literal("search"), label: text, query: text }),
  z.object({ do: z.literal("submit") }),
  z.object({ do: z.literal("close") }),
  z.object({ do: z.literal("stop"), thread: text }),
]);

/** An action of a user on the page. */
export type Act = z.infer<typeof act>;

export function readAct(body: unknown): Act | undefined {
  const read = act.safeParse(body);
  return read.success ? read.data : undefined;
}
