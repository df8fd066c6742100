import "elicit-kit/styles.css";
import { Elicitations } from "elicit-kit";
import { expect, it, onTestFinished } from "vitest";
import { CONVERSATION, createScript } from "../../src/client/testing/scripted-client.ts";
import { formRequest, urlRequest } from "../../src/contract/testing/requests.ts";
import { mount } from "./mount.ts";

/** What common resets set, each as a page without layers has it. */
const RESETS = {
  "a reset of all margins": "* { margin: 0; padding: 0; box-sizing: border-box; }",
  "Tailwind's preflight": `
    *, ::before, ::after, ::backdrop { box-sizing: border-box; margin: 0; padding: 0; border: 0 solid; }
    html { line-height: 1.5; tab-size: 4; }
    h1, h2, h3, h4 { font-size: inherit; font-weight: inherit; }
    a { color: inherit; text-decoration: inherit; }
    b, strong { font-weight: bolder; }
    small { font-size: 80%; }
    ol, ul, menu { list-style: none; }
    img, svg, video, canvas { display: block; vertical-align: middle; }
    img { max-width: 100%; height: auto; }
    button, input, select, optgroup, textarea {
      font: inherit; letter-spacing: inherit; color: inherit; background-color: transparent; border-radius: 0; opacity: 1;
    }
    ::placeholder { opacity: 1; color: rgb(128 128 128); }
    textarea { resize: vertical; }
    button, [type="submit"] { appearance: button; }
    summary { display: list-item; }`,
  "normalize.css": `
    html { line-height: 1.15; } h1 { font-size: 2em; }
    a { background-color: transparent; } b, strong { font-weight: bolder; } small { font-size: 80%; }
    button, input, optgroup, select, textarea { font-family: inherit; font-size: 100%; line-height: 1.15; margin: 0; }
    button, select { text-transform: none; } button { appearance: button; }
    fieldset { padding: 0.35em 0.75em 0.625em; } textarea { overflow: auto; }
    [type="checkbox"], [type="radio"] { box-sizing: border-box; padding: 0; } summary { display: list-item; }`,
  "Bootstrap's reboot": `
    *, ::before, ::after { box-sizing: border-box; }
    body { font-size: 1rem; line-height: 1.5; } h3 { margin: 0 0 0.5rem; font-weight: 500; line-height: 1.2; font-size: 1.75rem; }
    p { margin: 0 0 1rem; } ul, dl { margin: 0 0 1rem; } ul { padding-left: 2rem; } dd { margin: 0 0 0.5rem; }
    dt { font-weight: 700; } b, strong { font-weight: bolder; } small { font-size: 0.875em; }
    a { color: rgb(13 110 253); text-decoration: underline; } img, svg { vertical-align: middle; }
    label { display: inline-block; } button { border-radius: 0; }
    input, button, select, textarea { margin: 0; font-family: inherit; font-size: inherit; line-height: inherit; }
    select { word-wrap: normal; text-transform: none; } fieldset { min-width: 0; padding: 0; margin: 0; border: 0; }
    button, [type="button"], [type="submit"] { appearance: button; } textarea { resize: vertical; }
    legend { float: left; width: 100%; padding: 0; margin-bottom: 0.5rem; font-size: 1.5rem; line-height: inherit; }
    output { display: inline-block; }`,
  "a reset of buttons": "button { all: unset; }",
};

const requests = [
  urlRequest(),
  urlRequest({ elicitationId: "odd", url: "http://xn--80ak6aa92e.example/login" }),
  urlRequest({ elicitationId: "round-1", round: { id: "r", size: 2 } }),
  urlRequest({ elicitationId: "round-2", round: { id: "r", size: 2 } }),
  formRequest({
    message: "To book the cheapest seat",
    context: { trigger: "tool", layout: "form" },
    requestedSchema: {
      type: "object",
      title: "Details for your flight",
      required: ["destination", "date"],
      properties: {
        destination: { type: "string", title: "Destination", description: "A city or an airport" },
        date: { type: "string", format: "date", title: "Departure" },
        cabin: { type: "string", title: "Cabin", enum: ["Economy", "Premium", "Business"] },
        country: {
          type: "string",
          title: "Country",
          enum: Array.from({ length: 30 }, (_, n) => `Country ${n}`),
        },
        travellers: { type: "integer", title: "Travellers", minimum: 1, maximum: 9, default: 1 },
        extras: { type: "array", title: "Extras", items: { type: "string", enum: ["Meal", "Bag"] } },
        note: { type: "string", title: "Note", maxLength: 2000 },
        password: { type: "string", title: "Password" },
        flexible: { type: "boolean", title: "My dates are flexible" },
      },
    },
  }),
];

const OF_BOXES = [
  "paddingTop",
  "paddingLeft",
  "borderTopWidth",
  "borderLeftWidth",
  "backgroundColor",
] as const;
const OF_TEXT = ["color", "fontSize", "fontWeight", "textDecorationLine", "cursor"] as const;

/** Where each element of the cards is, and how it looks. */
function picture(container: HTMLElement): string[] {
  const { x: left, y: top } = container.getBoundingClientRect();
  return [...container.querySelectorAll("*:not(option, path, br)")].map((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const place = [x - left, y - top, width, height].map((length) => Math.round(length * 2) / 2).join(" ");
    const style = getComputedStyle(element);
    const hasText =
      element.matches("select, textarea, input:not([type=radio], [type=checkbox])") ||
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE);
    const looks = [...OF_BOXES, ...(hasText ? OF_TEXT : [])].map((name) => style[name]);
    return `${element.localName}.${element.getAttribute("class") ?? ""} ${place} ${looks.join(" ")}`;
  });
}

it.each(Object.entries(RESETS))("the cards look the same on a page with %s", async (_, css) => {
  const script = createScript({ requests });
  const container = mount(<Elicitations client={script.client} conversationId={CONVERSATION} />, "600px");
  await expect.poll(() => container.querySelector("form")).not.toBeNull();
  await Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => undefined)));
  const base = document.createElement("style");
  // The page's own text, and what has no effect on it.
  base.textContent =
    "*, ::before, ::after { transition: none !important; } body, .elicit-list > p { margin: 0; padding: 0; font-size: 16px; line-height: 1.5; }";
  const reset = document.createElement("style");
  reset.textContent = css;
  document.head.append(base);
  onTestFinished(() => [base, reset].forEach((style) => style.remove()));
  const before = picture(container);
  document.head.append(reset);
  expect(picture(container)).toEqual(before);
});

it("a page restyles a card with a class around it and a state, without !important", async () => {
  const style = document.createElement("style");
  style.textContent = `.acme .elicit-title { font-style: italic; } .acme .elicit-card[data-status="pending"] { --elicit-surface: red; opacity: 0.5; }`;
  document.head.prepend(style);
  onTestFinished(() => style.remove());
  const script = createScript({ requests: [urlRequest()] });
  const container = mount(
    <div className="acme">
      <Elicitations client={script.client} conversationId={CONVERSATION} />
    </div>,
  );
  await expect.poll(() => container.querySelector(".elicit-title")).not.toBeNull();
  expect(getComputedStyle(container.querySelector(".elicit-title")!).fontStyle).toBe("italic");
  await Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => undefined)));
  expect(getComputedStyle(container.querySelector(".elicit-card")!).opacity).toBe("0.5");
});
