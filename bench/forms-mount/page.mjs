/**
 * Runs in a browser: mounts the same form four ways. In JavaScript, since its peers are installed for the bench only.
 */
import Rjsf from "@rjsf/core";
import validator from "@rjsf/validator-ajv8";
import { createElement as h, useState } from "react";
import { createRoot } from "react-dom/client";
import { flushSync } from "react-dom";
import { useForm } from "react-hook-form";
import { createElicitationClient } from "../../src/client/index.ts";
import { FormElicitation, useElicitation } from "../../src/react/index.ts";

const KINDS = [
  { type: "string" },
  { type: "string", format: "email" },
  { type: "integer", minimum: 0, maximum: 100 },
  { type: "boolean" },
  { type: "string", enum: ["red", "green", "blue", "white", "black", "grey"] },
  { type: "string", maxLength: 80, description: "As it is written on the card." },
];
const INPUT_TYPES = ["text", "email", "number", "checkbox", "select", "text"];

/** @param {number} size */
function schemaOf(size) {
  const fields = Array.from({ length: size }, (_, index) => [
    `field${index}`,
    { title: `Question ${index}`, ...KINDS[index % KINDS.length] },
  ]);
  return { type: "object", properties: Object.fromEntries(fields) };
}

/** What anybody would write by hand: a label, a control and a description each, kept in one state. */
function Plain({ schema, says }) {
  const [values, setValues] = useState({});
  const set = (name, value) => setValues((before) => ({ ...before, [name]: value }));
  return h(
    "form",
    null,
    ...questions(
      schema,
      (name, kind) =>
        kind === "checkbox"
          ? { checked: values[name] ?? false, onChange: (event) => set(name, event.currentTarget.checked) }
          : { value: values[name] ?? "", onChange: (event) => set(name, event.currentTarget.value) },
      says,
    ),
  );
}

/** The plain form as a card that says the same as the kit's: heading, message, limits, what is optional, buttons. */
function PlainCard({ schema }) {
  return h(
    "div",
    { role: "group", "aria-labelledby": "card-title" },
    h("h3", { id: "card-title", tabIndex: -1 }, "A few details are needed"),
    h("button", { type: "button", "aria-label": "Dismiss" }, "×"),
    h("p", null, "A few questions"),
    h(Plain, { schema, says: "all" }),
    h("button", { type: "submit" }, "Submit"),
    h("button", { type: "button" }, "Decline"),
    h("output"),
  );
}

function HookForm({ schema }) {
  const { register, handleSubmit } = useForm();
  return h(
    "form",
    { onSubmit: handleSubmit(() => undefined) },
    ...questions(schema, (name) => register(name)),
  );
}

/**
 * @param {object} schema
 * @param {(name: string, kind: string) => object} propsOf Props of the control.
 * @param {"all"} [says] Also what the kit tells people: limits, and that a question need not be answered.
 */
function questions(schema, propsOf, says) {
  return Object.entries(schema.properties).map(([name, property], index) => {
    const kind = INPUT_TYPES[index % INPUT_TYPES.length];
    const limits = says && property.maximum !== undefined && `${property.minimum} to ${property.maximum}`;
    const text = property.description || limits;
    const props = {
      id: name,
      name,
      "aria-describedby": text && `${name}-text`,
      ...propsOf(name, kind),
    };
    return h(
      "div",
      { key: name },
      says
        ? h("label", { htmlFor: name }, `${property.title} `, h("small", null, "(optional)"))
        : h("label", { htmlFor: name }, property.title),
      kind === "select"
        ? h(
            "select",
            props,
            says && h("option"),
            ...property.enum.map((value) => h("option", { key: value }, value)),
          )
        : h("input", { type: kind, ...props }),
      text && h("p", { id: `${name}-text` }, text),
    );
  });
}

function Kit({ client }) {
  return useElicitation({ client }).elicitations.map((item) =>
    h(FormElicitation, { key: item.id, elicitation: item }),
  );
}

function clientOf(schema) {
  const channel = {
    subscribe: () => () => undefined,
    respond: async () => [],
    delivery: () => ({ accept: "send", decline: "send", cancel: "send" }),
  };
  const client = createElicitationClient({ channel, storage: null });
  client.receive("c1", {
    type: "elicitation-request",
    elicitationId: "form",
    mode: "form",
    message: "A few questions",
    requestedSchema: schema,
  });
  return client;
}

const noop = () => undefined;
/** @type {Record<string, (schema: object) => import("react").ReactElement>} */
const WAYS = {
  "plain inputs": (schema) => h(Plain, { schema }),
  "the same card by hand": (schema) => h(PlainCard, { schema }),
  "react-hook-form": (schema) => h(HookForm, { schema }),
  "elicit-kit": (schema) => h(Kit, { client: clientOf(schema) }),
  "@rjsf/core + ajv8": (schema) => h(Rjsf, { schema, validator, onSubmit: noop }),
};

/** The lower quartile: other work on the machine makes single mounts slower, never faster. */
const quartile = (all) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 4)];

/**
 * Milliseconds of one mount of each way, the ways taking turns: what scripts take until the elements are there, and what
 * the browser takes to lay them out.
 *
 * @param {number} size
 * @param {number} rounds
 * @returns {[name: string, script: number, layout: number][]}
 */
globalThis.measureForms = function measureForms(size, rounds) {
  const schema = schemaOf(size);
  const measured = Object.entries(WAYS).map(([name, make]) => ({
    name,
    make,
    script: [],
    layout: [],
  }));
  for (let round = 0; round < rounds; round++) {
    for (const { name, make, script, layout } of measured) {
      const container = document.createElement("div");
      document.body.append(container);
      const root = createRoot(container);
      const element = make(schema);
      const start = performance.now();
      flushSync(() => root.render(element));
      const mounted = performance.now();
      // The browser lays out what was mounted before it is seen.
      void container.offsetHeight;
      script.push(mounted - start);
      layout.push(performance.now() - mounted);
      if (container.querySelectorAll("input, select").length < size) throw new Error(`${name} did not mount`);
      flushSync(() => root.unmount());
      container.remove();
    }
  }
  return measured.map(({ name, script, layout }) => [name, quartile(script), quartile(layout)]);
};
