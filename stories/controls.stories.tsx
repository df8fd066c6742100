import preview from "../.storybook/preview.tsx";
import { question } from "../src/contract/testing/requests.ts";
import { cardArgTypes, cardParameters } from "./card-controls.ts";
import { Chat } from "./chat.tsx";

/** Each control that a question can have. The schema of the question decides which; a hint may choose another one. */
const meta = preview.meta({
  title: "Controls",
  component: Chat,
  argTypes: cardArgTypes.form,
  parameters: cardParameters("form"),
});

/** A form with one required question. */
const asks = (message: string, schema: object, control?: string) => ({
  args: {
    requests: [
      {
        ...question(
          schema,
          true,
          control === undefined ? undefined : { trigger: "tool", fields: { value: { control } } },
        ),
        message,
      },
    ],
  },
});

const days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"];
const cities = [
  "Berlin",
  "Lisbon",
  "Madrid",
  "Paris",
  "Porto",
  "Prague",
  "Rome",
  "Vienna",
  "Warsaw",
  "Zurich",
];

export const ShortText = meta.story(
  asks("What should the project be called?", { type: "string", title: "Name", maxLength: 40 }),
);

export const LongText = meta.story(
  asks("What happened?", { type: "string", title: "Description", maxLength: 2000 }, "textarea"),
);

export const Email = meta.story(
  asks("Who should get the report?", { type: "string", title: "Email", format: "email" }),
);

export const Day = meta.story(
  asks("When do you arrive?", { type: "string", title: "Day of arrival", format: "date" }),
);

export const DayAndTime = meta.story(
  asks("When should I call you?", { type: "string", title: "Day and time", format: "date-time" }),
);

export const SmallNumber = meta.story(
  asks("How many of you travel?", {
    type: "integer",
    title: "Travellers",
    minimum: 1,
    maximum: 9,
    default: 2,
  }),
);

export const Amount = meta.story(
  asks("What may the hotel cost?", { type: "number", title: "Highest price a night", minimum: 0 }),
);

export const Slider = meta.story(
  asks(
    "How warm should the room be?",
    { type: "integer", title: "Degrees", minimum: 15, maximum: 28, default: 21 },
    "slider",
  ),
);

export const Stars = meta.story(
  asks("How was your stay?", { type: "integer", title: "Rating", minimum: 1, maximum: 5 }, "rating"),
);

export const YesOrNo = meta.story(
  asks("I found a branch that nobody uses.", { type: "boolean", title: "Delete the old branch?" }),
);

export const OneOfAFew = meta.story(
  asks("In which cabin do you fly?", {
    type: "string",
    title: "Cabin",
    enum: ["Economy", "Premium", "Business"],
  }),
);

export const OneOfMany = meta.story(
  asks("From where do you leave?", { type: "string", title: "City", enum: cities }),
);

export const SeveralOfAFew = meta.story(
  asks("On which days can you meet?", {
    type: "array",
    title: "Days",
    items: { type: "string", enum: days },
    minItems: 1,
    uniqueItems: true,
  }),
);

export const Secret = meta.story({
  name: "A secret",
  ...asks("To read your calendar, I need its key.", { type: "string", title: "API key" }),
});
