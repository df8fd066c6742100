import type { ElicitationPromptProps } from "elicit-kit/cards";
import { expect } from "storybook/test";
import { ar } from "../src/words/cards/ar.ts";
import { de } from "../src/words/cards/de.ts";
import { es } from "../src/words/cards/es.ts";
import { fr } from "../src/words/cards/fr.ts";
import { ja } from "../src/words/cards/ja.ts";
import preview from "../.storybook/preview.tsx";
import { cardArgTypes, cardParameters } from "./card-controls.ts";
import { Chat } from "./chat.tsx";
import { formRequest, urlRequest } from "../src/contract/testing/requests.ts";

const meta = preview.meta({
  title: "Cards/Several questions",
  component: Chat,
  argTypes: cardArgTypes.both,
  parameters: cardParameters("both"),
});

export const SeveralAtOnce = meta.story({
  args: {
    requests: [
      urlRequest({ resolution: { outcome: "accepted", at: "2026-11-21T12:00:00Z" } }),
      formRequest(),
      urlRequest({ elicitationId: "url-2" }),
    ],
  },
});

export const Round = meta.story({
  args: {
    requests: [
      formRequest({ round: { id: "round-1", size: 2 } }),
      formRequest({
        elicitationId: "form-2",
        message: "And the invoice?",
        round: { id: "round-1", size: 2 },
      }),
    ],
  },
});

export const Arabic = meta.story({
  args: {
    catalogue: ar,
    requests: [
      urlRequest({ url: "https://xn--mgbh0fb.example/", message: "نحتاج إلى إذنك." }),
      formRequest({
        message: "إلى أين نرسل الطرد؟",
        requestedSchema: {
          type: "object",
          properties: {
            city: { type: "string", title: "المدينة" },
            express: { type: "boolean", title: "توصيل سريع" },
          },
          required: ["city"],
        },
      }),
    ],
  },
});

Arabic.test("is laid out from right to left", async ({ canvas }) => {
  const [card] = canvas.getAllByRole("group", { name: ar.title("connect") });
  await expect(card).toHaveAttribute("dir", "rtl");
  const close = canvas.getAllByRole("button", { name: ar.dismiss })[0]?.getBoundingClientRect();
  const words = document.createRange();
  words.selectNodeContents(canvas.getAllByRole("heading")[0]!);
  await expect(close?.right).toBeLessThanOrEqual(words.getBoundingClientRect().left);
});

const twoCards = { requests: [urlRequest(), formRequest()] };

/** The toolbar switches the cards, like every story, to one of six languages. */
export const BothCards = meta.story({ args: twoCards });

// For the tests only: axe finds no violation in any language.
export const German = meta.story({ args: { ...twoCards, catalogue: de }, tags: ["!dev"] });
export const Spanish = meta.story({ args: { ...twoCards, catalogue: es }, tags: ["!dev"] });
export const French = meta.story({ args: { ...twoCards, catalogue: fr }, tags: ["!dev"] });
export const Japanese = meta.story({ args: { ...twoCards, catalogue: ja }, tags: ["!dev"] });

const Payment = ({ elicitation }: ElicitationPromptProps) => (
  <button type="button" onClick={() => void elicitation.accept()}>
    Pay {String(elicitation.request.context?.["amount"])}
  </button>
);

export const OwnCardForATrigger = meta.story({
  args: {
    requests: [urlRequest({ context: { trigger: "payment", amount: "5 €" } })],
    components: { context: { payment: Payment } },
  },
});

/** Type a letter: the focus stays in the composer, and a screen reader announces the card. */
export const WhileTyping = meta.story({ args: { whileTyping: urlRequest() } });

WhileTyping.test("leaves the focus in the composer", async ({ canvas, userEvent }) => {
  const box = canvas.getByRole("textbox", { name: "Message" });
  await userEvent.type(box, "Please list my repositories");
  await expect(canvas.getByRole("button", { name: "Connect" })).toBeVisible();
  await expect(box).toHaveFocus();
  await expect(canvas.getByRole("status")).toHaveTextContent(/^Connect your account\./);
});
