import { html } from "hono/html";
import type { Draft, Drafts, Field } from "../../../form/index.ts";
import type { Option } from "../../../form/field.ts";
import { keyboardOf, writeNumber } from "../../../form/number-text.ts";
import { type ControlName, inputTypeOf, pickControl } from "../../../form/pick-control.ts";
import type { Catalogue } from "../../../words/cards/catalogue.ts";
import type { FormHeading } from "../../../words/cards/form-heading.ts";
import { type AnyFieldError, countText, errorText, rangeText } from "../../../words/cards/limit-words.ts";
import { otherOf } from "../../../form/own-words.ts";
import { questionsOf } from "../../../form/steps.ts";
import { controlName, splitDateTime, zoneName } from "./answer-drafts.ts";
import { controlHint, type Recommended, recommendedOf } from "../../../form/hints.ts";
import type { Html } from "../layout/html.ts";
import { icon } from "../layout/images.ts";

/** A form as the user has filled it in. */
export interface FormState {
  readonly fields: readonly Field[];
  readonly drafts: Drafts;
  readonly errors: Readonly<Record<string, AnyFieldError>>;
  /** The fields that ask for a secret. */
  readonly secrets: readonly Field[];
  /** Whether pressing an option is the answer. Its buttons belong to the form with the id `answer`. */
  readonly isPressed: boolean;
  /** The `context` of the request, with its recommended options. */
  readonly context: Readonly<Record<string, unknown>> | undefined;
}

const ZONES =
  "-12:00 -11:00 -10:00 -09:30 -09:00 -08:00 -07:00 -06:00 -05:00 -04:00 -03:30 -03:00 -02:00 -01:00 Z +01:00 +02:00 +03:00 +03:30 +04:00 +04:30 +05:00 +05:30 +05:45 +06:00 +06:30 +07:00 +08:00 +08:45 +09:00 +09:30 +10:00 +10:30 +11:00 +12:00 +12:45 +13:00 +14:00".split(
    " ",
  );

/** The data for every control of a field. */
interface Control {
  readonly id: string;
  readonly draft: Draft | undefined;
  /** Attributes that link the control to its hint and its error. */
  readonly tie: Html;
  readonly catalogue: Catalogue;
  /** The free text instead of an option. */
  readonly words: Html | "";
  readonly isSecret: boolean;
  /** Which kind of control it is, by the rules of the cards. */
  readonly name: ControlName;
  readonly recommended: Recommended | undefined;
  readonly isPressed: boolean;
}

/** The fields of a form as plain HTML controls, which work without scripts. */
export function formFields(
  { fields, drafts, errors, secrets, isPressed, context }: FormState,
  catalogue: Catalogue,
  heading?: FormHeading,
): Html {
  const shown = questionsOf(fields);
  const isAlone = shown.length === 1;
  const isHeading = isAlone && (heading?.from === "message" || heading?.from === "question");
  // "(optional)" is shown only where optional questions are the exception.
  const showsOptional = shown.filter(({ required }) => required).length * 2 > shown.length;
  const draftOf = ({ name }: Field) => (Object.hasOwn(drafts, name) ? drafts[name] : undefined);
  const errorOf = ({ name }: Field) => (Object.hasOwn(errors, name) ? errors[name] : undefined);
  return html`${shown.map((field) => {
    const id = idOf(fields, field);
    const draft = draftOf(field);
    const other = fields.find(({ name }) => name === otherOf(field));
    const error = errorOf(field) ?? (other && errorOf(other));
    const limits = rangeText(field, catalogue) || countText(field, catalogue);
    const described = [
      field.description === undefined ? "" : `${id}-hint`,
      limits === "" ? "" : `${id}-limits`,
      error === undefined ? "" : `${id}-error`,
    ].filter((name) => name !== "");
    const describedBy = described.length === 0 ? "" : html` aria-describedby="${described.join(" ")}"`;
    const tie = html`${describedBy}${error === undefined ? "" : html` aria-invalid="true"`}`;
    const words = other === undefined ? "" : ownWords(idOf(fields, other), draftOf(other), catalogue);
    const isSecret = secrets.includes(field);
    const recommended = recommendedOf(context, field.name);
    const name = pickControl(field, controlHint(context, field.name), isAlone, draft);
    const control = controlOf(field, {
      id,
      draft,
      tie,
      catalogue,
      words,
      isSecret,
      name,
      recommended,
      isPressed,
    });
    const isOptional =
      showsOptional && !field.required && field.kind !== "boolean" && field.default === undefined;
    const label = html`${field.label}${isOptional ? html` <span class="hint">(${catalogue.optional})</span>` : ""}`;
    const more = html`${limits === "" ? "" : html`<p class="hint" id="${id}-limits">${limits}</p>`}${
      field.description === undefined ? "" : html`<p class="hint" id="${id}-hint">${field.description}</p>`
    }${error === undefined ? "" : html`<p class="error" id="${id}-error">${errorText(error, errorOf(field) === undefined && other ? other : field, catalogue)}</p>`}`;
    if (control.kind === "group") {
      return html`<fieldset class="field" id="${id}" ${tie}>
        <legend ${isHeading ? html`class="unseen"` : ""}>${label}</legend>
        ${control.html}${more}
      </fieldset>`;
    }
    if (control.kind === "checkbox") return html`<div class="field">${control.html}${more}</div>`;
    return html`<div class="field"><label for="${id}">${label}</label>${control.html}${more}</div>`;
  })}`;
}

function controlOf(field: Field, control: Control): { kind: "group" | "checkbox" | "input"; html: Html } {
  const { id, draft, tie, catalogue, words, name, recommended, isPressed } = control;
  const wordFor = (value: string): string | undefined =>
    recommended?.value === value ? (recommended.word ?? catalogue.recommended) : undefined;
  switch (field.kind) {
    case "boolean": {
      if (name === "checkbox") {
        const checked = draft === true ? html` checked` : "";
        return {
          kind: "checkbox",
          html: html`<label class="option"
            ><input type="checkbox" id="${id}" name="${id}" value="yes" ${checked}${tie} /><span
              >${field.label}</span
            ></label
          >`,
        };
      }
      const answers = [
        { sent: "yes", label: catalogue.yes, isChosen: draft === true },
        { sent: "no", label: catalogue.no, isChosen: draft === false },
      ];
      return { kind: "group", html: optionsOf("radio", id, answers) };
    }
    case "choice": {
      const options = answersOf(field.options, (value) => value === draft, wordFor);
      if (isPressed) return { kind: "group", html: optionsOf("press", id, options) };
      if (name === "radio") return { kind: "group", html: html`${optionsOf("radio", id, options)}${words}` };
      return {
        kind: "input",
        html: html`<select id="${id}" name="${id}" ${tie}>
            <option value="">${catalogue.choose}</option>
            ${options.map(({ sent, label, word, isChosen }) => html`<option value="${sent}" ${isChosen ? html` selected` : ""}>${[label, word].filter(Boolean).join(" · ")}</option>`)}
          </select>
          ${words}`,
      };
    }
    case "multi-choice": {
      const chosen = Array.isArray(draft) ? draft : [];
      const options = answersOf(field.options, (value) => chosen.includes(value));
      return { kind: "group", html: optionsOf("checkbox", id, options) };
    }
    default:
      return { kind: "input", html: inputOf(field, control) };
  }
}

function idOf(fields: readonly Field[], field: Field): string {
  return controlName(fields.indexOf(field));
}

function ownWords(id: string, draft: Draft | undefined, { ownWords: words }: Catalogue): Html {
  return html`<textarea
    class="own-words"
    id="${id}"
    name="${id}"
    rows="1"
    dir="auto"
    aria-label="${words}"
    placeholder="${words}"
  >
${typeof draft === "string" ? draft : ""}</textarea>`;
}

function inputOf(
  field: Extract<Field, { kind: "text" | "number" }>,
  { id, draft, tie, catalogue, isSecret, name }: Control,
): Html {
  const text = typeof draft === "string" ? draft : "";
  const placeholder = field.placeholder === undefined ? "" : html` placeholder="${field.placeholder}"`;
  // A secret must be typed again, because it is not sent back to the browser.
  if (isSecret && (field.kind === "number" || field.format !== "date-time")) {
    return html`<input type="password" id="${id}" name="${id}" autocomplete="off" ${placeholder}${tie} />`;
  }
  if (field.kind === "number") {
    return html`<input
      id="${id}"
      name="${id}"
      inputmode="${keyboardOf(field)}"
      autocomplete="off"
      value="${writeNumber(text, catalogue)}"
      ${placeholder}${tie}
    />`;
  }
  if (name === "date-time") {
    const { local, zone } = splitDateTime(text);
    return html`<div class="pair-of-inputs">
      <input type="datetime-local" id="${id}" name="${id}" value="${local}" ${tie} />
      <select name="${zoneName(Number(id.slice(1)))}" aria-label="${catalogue.timeZone}">
        ${[...new Set([...ZONES, zone])].map((one) => html`<option value="${one}" ${one === zone ? html` selected` : ""}>${one === "Z" ? "UTC" : `UTC${one}`}</option>`)}
      </select>
    </div>`;
  }
  if (name === "textarea") {
    // The first line break after the tag is not part of the text.
    return html`<textarea id="${id}" name="${id}" rows="4" dir="auto" ${placeholder}${tie}>
${text}</textarea>`;
  }
  return html`<input
    type="${inputTypeOf(name)}"
    id="${id}"
    name="${id}"
    dir="auto"
    value="${text}"
    ${placeholder}${tie}
  />`;
}

/** An option of a group, with what the browser sends for it. */
interface Answer {
  readonly sent: string;
  readonly label: string;
  readonly description?: string | undefined;
  readonly preview?: string | undefined;
  /** Marks the option as recommended. */
  readonly word?: string | undefined;
  readonly isChosen: boolean;
}

function answersOf(
  options: readonly Option[],
  isChosen: (value: string) => boolean,
  wordFor: (value: string) => string | undefined = () => undefined,
): readonly Answer[] {
  return options.map(({ value, label, description, preview }, index) => ({
    sent: String(index),
    label,
    description,
    preview,
    word: wordFor(value),
    isChosen: isChosen(value),
  }));
}

function optionsOf(type: "radio" | "checkbox" | "press", name: string, options: readonly Answer[]): Html {
  return html`<div class="options">
    ${options.map(({ sent, label, description, preview, word, isChosen }, index) => {
      // Links to the field point to its first option.
      const id = index === 0 ? html` id="${name}"` : "";
      const checked = isChosen ? html` checked` : "";
      const more = description === undefined ? "" : html`<span class="hint">${description}</span>`;
      const mark =
        word === undefined ? "" : html`<span class="recommended">${icon("star")}<bdi>${word}</bdi></span>`;
      if (type === "press") {
        return html`<button class="option" type="submit" form="answer" ${id} name="${name}" value="${sent}">
          <span>${label} ${more}</span>${mark}
        </button>`;
      }
      const about = `${name}-preview-${index}`;
      const tie = preview === undefined ? "" : html` aria-describedby="${about}"`;
      // Shown by the style sheet while the option is in focus or chosen. The first line break is not part of the text.
      const sketch =
        preview === undefined
          ? ""
          : html`<pre
              class="preview"
              id="${about}"
              tabindex="0"
              role="group"
              aria-label="${label}"
              dir="auto"
            >
${preview}</pre>`;
      return html`<label class="option"
          ><input type="${type}" ${id} name="${name}" value="${sent}" ${checked}${tie} /><span
            >${label} ${more}</span
          >${mark}</label
        >${sketch}`;
    })}
  </div>`;
}
