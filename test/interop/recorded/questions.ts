/** The two questions in the recordings of every protocol, so that their cards can be compared. */
export const FORM = {
  message: "Which table shall I book?",
  requestedSchema: {
    type: "object" as const,
    properties: {
      name: { type: "string" as const, title: "Name", minLength: 2, maxLength: 40 },
      seats: { type: "integer" as const, title: "Seats", minimum: 1, maximum: 8 },
      area: { type: "string" as const, title: "Area", enum: ["Inside", "Terrace"] },
      quiet: { type: "boolean" as const, title: "A quiet table" },
    },
    required: ["name", "seats"],
  },
};

/** The user's answer to the form. */
export const CONTENT = { name: "Ada", seats: 2, area: "Terrace", quiet: true };

export const PAGE = {
  message: "The restaurant asks for a deposit.",
  url: "https://pay.example.com/deposit",
};

/** The operator's name for the side that asks. */
export const SERVICE = "Bistro";
