import { Window } from "happy-dom";
import { expect, onTestFinished } from "vitest";
import { ownWordsQuestion } from "../../src/contract/testing/requests.ts";
import { TRIP, stageAnswerPage } from "../stages/answer-page-stage.ts";
import { fieldCase } from "./field-case.ts";

fieldCase(
  { sources: ["assembledhq/143#598"], before: "failed" },
  "the answer page has no input whose text is so small that a phone zooms in",
  async () => {
    const { requestedSchema: ownWords } = ownWordsQuestion();
    const requestedSchema = {
      ...ownWords,
      properties: {
        ...ownWords.properties,
        name: { type: "string" as const },
        note: { type: "string" as const, maxLength: 500 },
        day: { type: "string" as const, format: "date" as const },
        zone: { type: "string" as const, enum: Array.from({ length: 30 }, (_, index) => `Zone ${index}`) },
      },
    };
    const { shown } = await stageAnswerPage({ ...TRIP, requestedSchema });
    const window = new Window();
    onTestFinished(() => window.happyDOM.close());
    window.document.write(shown.text);
    const inputs = [...window.document.querySelectorAll("input, textarea, select")].filter(
      (input) => !["hidden", "radio", "checkbox"].includes(input.getAttribute("type") ?? ""),
    );
    const style = (/<style>([^]*?)<\/style>/.exec(shown.text)?.[1] ?? "").replaceAll(/\/\*[^]*?\*\//g, "");
    const rules = [...style.matchAll(/([^{}]+)\{([^{}]*)\}/g)].flatMap(([, selector = "", body = ""]) => {
      const size = /font(?:-size)?:\s*(?:\d+ )?([^\s/;]+)/.exec(body)?.[1];
      return size === undefined ? [] : [{ selector: selector.trim(), size }];
    });
    const sizes = inputs.map((input) => ({
      input: `${input.tagName} ${input.className}`,
      sizes: rules.filter(({ selector }) => input.matches(selector)).map(({ size }) => size),
    }));
    expect(sizes.map(({ input }) => input)).toContain("TEXTAREA own-words");
    expect(sizes).toEqual(sizes.map(({ input }) => ({ input, sizes: ["1rem"] })));
  },
);
