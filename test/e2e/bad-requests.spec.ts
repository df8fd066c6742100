import { createRuntime, type FormQuestion, type UrlQuestion } from "elicit-kit/runtime";
import { serve } from "elicit-kit/node";
import { ChatPage } from "./chat-page.ts";
import { expect, test } from "./demo.ts";

const question = { message: "Please help." };
const BAD: Readonly<Record<string, { ask: UrlQuestion | FormQuestion; card: string; reason: RegExp }>> = {
  "an unsafe URL": {
    ask: { ...question, mode: "url", url: "javascript:alert(document.domain)" },
    card: "Continue on another page",
    reason: /does not lead to a web page/,
  },
  "a nested schema": {
    ask: {
      ...question,
      mode: "form",
      requestedSchema: { type: "object", properties: { home: { type: "object", properties: {} } } },
    },
    card: "Please help.",
    reason: /home/,
  },
};

for (const [what, { ask, card: name, reason }] of Object.entries(BAD)) {
  test(
    `a request with ${what} is shown as blocked, with the reason, and can be declined`,
    { tag: what === "a nested schema" ? "@long" : [] },
    async ({ page, demo }) => {
      const errors: unknown[] = [];
      const runtime = createRuntime({
        async *runTurn(turn) {
          yield { type: "start" };
          const { outcome } = await turn.ask(ask);
          yield { type: "text-start", id: "t" };
          yield { type: "text-delta", id: "t", delta: `It ended as ${outcome}.` };
          yield { type: "text-end", id: "t" };
        },
        authenticate: () => ({ id: "alice" }),
        allowedOrigins: [demo.chat],
        onError: (error) => errors.push(error),
      });
      const server = await serve({ fetch: runtime.fetch });
      page.on("pageerror", (error) => errors.push(error));
      page.on("popup", () => errors.push(new Error("a window was opened")));
      // The page uses the demo's runtime, but a faulty one replies.
      await page.route(`${demo.runtime}/**`, (route) =>
        route.continue({ url: route.request().url().replace(demo.runtime, server.url) }),
      );

      const chat = new ChatPage(page, demo);
      await chat.open();
      await chat.say("Go");
      const card = page.getByRole("group", { name });
      await expect(card).toContainText(reason);
      await expect(card.getByRole("button", { name: /Connect|Continue|Submit/ })).toHaveCount(0);
      await expect(card.getByRole("link")).toHaveCount(0);
      await chat.decline(card);
      await expect(chat.log).toContainText("It ended as declined.");
      expect(errors).toEqual([]);
      await runtime.close();
      await server.close();
    },
  );
}
