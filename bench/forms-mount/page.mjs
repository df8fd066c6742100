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
function Plain({ schema }) {
  const [values, setValues] = useState({});
  const set = (name, value) => setValues((before) => ({ ...before, [name]: value }));
  return h(
    "form",
    null,
    ...questions(schema, (name, kind) =>
      kind === "checkbox"
        ? { checked: values[name] ?? false, onChange: (event) => set(name, event.currentTarget.checked) }
        : { value: values[name] ?? "", onChange: (event) => set(name, event.currentTarget.value) },
    ),
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

function questions(schema, propsOf) {
  return Object.entries(schema.properties).map(([name, property], index) => {
    const kind = INPUT_TYPES[index % INPUT_TYPES.length];
    const props = {
      id: name,
      name,
      "aria-describedby": property.description && `${name}-text`,
      ...propsOf(name, kind),
    };
    return h(
      "div",
      { key: name },
      h("label", { htmlFor: name }, property.title),
      kind === "select"
        ? h("select", props, ...property.enum.map((value) => h("option", { key: value }, value)))
        : h("input", { type: kind, ...props }),
      property.description && h("p", { id: `${name}-text` }, property.description),
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
  "react-hook-form": (schema) => h(HookForm, { schema }),
  "elicit-kit": (schema) => h(Kit, { client: clientOf(schema) }),
  "@rjsf/core + ajv8": (schema) => h(Rjsf, { schema, validator, onSubmit: noop }),
};

const median = (all) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)];

/**
 * Milliseconds of one mount of each: the median of `rounds`, the ways taking turns.
 *
 * @param {number} size
 * @param {number} rounds
 */
globalThis.measureForms = function measureForms(size, rounds) {
  const schema = schemaOf(size);
  const times = new Map(Object.keys(WAYS).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, make] of Object.entries(WAYS)) {
      const container = document.createElement("div");
      document.body.append(container);
      const root = createRoot(container);
      const element = make(schema);
      const start = performance.now();
      flushSync(() => root.render(element));
      // The browser lays out what was mounted before it is seen.
      void container.offsetHeight;
      times.get(name)?.push(performance.now() - start);
      if (container.querySelectorAll("input, select").length < size) throw new Error(`${name} did not mount`);
      flushSync(() => root.unmount());
      container.remove();
    }
  }
  return new Map([...times].map(([name, all]) => [name, median(all)]));
};
