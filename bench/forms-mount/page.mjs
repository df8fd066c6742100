/**
 * Runs in a browser and mounts the same form in four ways. It is JavaScript because the other packages are installed for
 * the benchmark only.
 */
import Rjsf from "@rjsf/core";
import validator from "@rjsf/validator-ajv8";
import { createElement as h, useId, useState } from "react";
import { createRoot } from "react-dom/client";
import { flushSync } from "react-dom";
import { useForm } from "react-hook-form";
import { createElicitationClient } from "../../src/client/index.ts";
import { lateCards, lateForm } from "../../src/react/elicitations/lazy-cards.ts";
import { Elicitations } from "../../src/react/index.ts";

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

/**
 * A form as developers write it by hand: label, control, description and error of each question, one state, and a submit
 * button. Like the kit it shows optional questions and the limits of numbers.
 */
function Plain({ schema }) {
  const [values, setValues] = useState({});
  const [errors, setErrors] = useState({});
  const set = (name, value) => setValues((before) => ({ ...before, [name]: value }));
  const onBlur = (event) => {
    const { name, validationMessage } = event.currentTarget;
    setErrors((before) => ({ ...before, [name]: validationMessage }));
  };
  const propsOf = (name, kind) =>
    kind === "checkbox"
      ? {
          onBlur,
          checked: values[name] ?? false,
          onChange: (event) => set(name, event.currentTarget.checked),
        }
      : { onBlur, value: values[name] ?? "", onChange: (event) => set(name, event.currentTarget.value) };
  return h(
    "form",
    { noValidate: true, onSubmit: noop },
    h(Questions, { schema, propsOf, errorOf: (name) => errors[name] }),
    h("button", { type: "submit" }, "Submit"),
  );
}

/** The plain form with the rest of a card: the requester, the message, and the buttons to decline and dismiss. */
function PlainCard({ schema }) {
  return h(
    "div",
    { role: "group", "aria-labelledby": "card-title" },
    h("h3", { id: "card-title", tabIndex: -1 }, "A few details are needed"),
    h("button", { type: "button", "aria-label": "Dismiss" }, "×"),
    h("p", null, "A few questions"),
    h(Plain, { schema }),
    h("button", { type: "button" }, "Decline"),
    h("output"),
  );
}

function HookForm({ schema }) {
  const { register, handleSubmit, formState } = useForm();
  return h(
    "form",
    { noValidate: true, onSubmit: (event) => void handleSubmit(noop)(event) },
    h(Questions, {
      schema,
      propsOf: (name) => register(name),
      errorOf: (name) => formState.errors[name]?.message,
    }),
    h("button", { type: "submit" }, "Submit"),
  );
}

/**
 * @param {object} props
 * @param {object} props.schema
 * @param {(name: string, kind: string) => object} props.propsOf Props of the control.
 * @param {(name: string) => string | undefined} props.errorOf
 */
function Questions({ schema, propsOf, errorOf }) {
  const base = useId();
  return Object.entries(schema.properties).map(([name, property], index) => {
    const kind = INPUT_TYPES[index % INPUT_TYPES.length];
    const limits = property.maximum !== undefined && `${property.minimum} to ${property.maximum}`;
    const text = property.description || limits;
    const error = errorOf(name);
    const id = `${base}${name}`;
    const props = {
      id,
      name,
      className: "input",
      "aria-invalid": error ? true : undefined,
      "aria-describedby": [text && `${id}text`, error && `${id}error`].filter(Boolean).join(" ") || undefined,
      ...propsOf(name, kind),
    };
    return h(
      "div",
      { key: name, className: "field" },
      h("label", { className: "label", htmlFor: id }, `${property.title} `, h("small", null, "(optional)")),
      kind === "select"
        ? h(
            "select",
            props,
            h("option"),
            ...property.enum.map((value) => h("option", { key: value, value }, value)),
          )
        : h("input", { type: kind, ...props }),
      text && h("p", { id: `${id}text`, className: "text" }, text),
      error && h("p", { id: `${id}error`, className: "error" }, error),
    );
  });
}

function createClient() {
  const channel = {
    subscribe: () => () => undefined,
    respond: async () => [],
    delivery: () => ({ accept: "send", decline: "send", cancel: "send" }),
  };
  return createElicitationClient({ channel, storage: null });
}

/** The drop-in is on the page before the request arrives, as in a chat. */
function kit(root) {
  const client = createClient();
  root.render(h(Elicitations, { client }));
  return (requestedSchema) =>
    client.receive("c1", {
      type: "elicitation-request",
      elicitationId: "form",
      mode: "form",
      message: "A few questions",
      requestedSchema,
      // All questions at once, as the other packages show them.
      context: { layout: "form" },
    });
}

const noop = () => undefined;
/** @param {(schema: object) => import("react").ReactElement} form */
const byHand = (form) => (root) => {
  root.render(null);
  return (schema) => root.render(form(schema));
};
/**
 * For each package, a function that sets the page up and returns a function that shows a form for a new schema.
 *
 * @type {Record<string, (root: import("react-dom/client").Root) => (schema: object) => void>}
 */
const WAYS = {
  "plain inputs": byHand((schema) => h(Plain, { schema })),
  "the same card by hand": byHand((schema) => h(PlainCard, { schema })),
  "react-hook-form": byHand((schema) => h(HookForm, { schema })),
  "elicit-kit": kit,
  "@rjsf/core + ajv8": byHand((schema) => h(Rjsf, { schema, validator, onSubmit: noop })),
};

/** As in a page that was idle for a moment: the code of the cards is there. */
globalThis.waysToMount = Promise.all([createClient().ready(), lateCards.load(), lateForm.load()]).then(() =>
  Object.keys(WAYS),
);

/**
 * Milliseconds of one mount: the time of scripts until the elements exist, and the time of the browser to lay them out.
 *
 * @param {string} name
 * @param {number} size
 * @returns {[script: number, layout: number]}
 */
globalThis.mountForm = function mountForm(name, size) {
  const schema = schemaOf(size);
  const container = document.createElement("div");
  document.body.append(container);
  const root = createRoot(container);
  const show = flushSync(() => WAYS[name](root));
  const start = performance.now();
  flushSync(() => show(schema));
  const mounted = performance.now();
  // Makes the browser lay out the elements before the next frame.
  void container.offsetHeight;
  const laidOut = performance.now();
  if (container.querySelectorAll("input, select").length < size) throw new Error(`${name} did not mount`);
  flushSync(() => root.unmount());
  container.remove();
  return [mounted - start, laidOut - mounted];
};
