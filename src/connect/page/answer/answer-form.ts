import { html } from "hono/html";
import type { Draft, Drafts, Field } from "../../../form/index.ts";
import type { Option } from "../../../form/field.ts";
import { splitDateTime } from "../../../form/date-time.ts";
import { optionLine } from "../../../form/hints.ts";
import { formatNumber, writeNumber } from "../../../form/number-text.ts";
import {
  canBeEmpty,
  type PresentedField,
  presentField,
  presentForm,
  ratingSteps,
  type TypedInput,
} from "../../../form/present-field.ts";
import type { Catalogue } from "../../../words/cards/catalogue.ts";
import type { FormHeading } from "../../../words/cards/form-heading.ts";
import { type AnyFieldError, errorText, lengthText, limitText } from "../../../words/cards/limit-words.ts";
import type { Html } from "../layout/html.ts";
import { icon } from "../layout/images.ts";
import { controlName, zoneName } from "./answer-drafts.ts";

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
interface Control extends Omit<PresentedField, "words"> {
  readonly id: string;
  /** Absent for a secret: the user types it again, because it is not sent back to the browser. */
  readonly draft: Draft | undefined;
  /** Attributes that link the control to its hint and its error. */
  readonly tie: Html;
  readonly catalogue: Catalogue;
  /** The free text instead of an option. */
  readonly words: Html | "";
}

/** The fields of a form as plain HTML controls, which work without scripts. */
export function formFields(
  { fields, drafts, errors, secrets, isPressed, context }: FormState,
  catalogue: Catalogue,
  heading?: FormHeading,
): Html {
  const form = presentForm({ fields, secretFields: secrets, context, isPressed });
  const { shown, isAlone } = form;
  const isHeading = isAlone && (heading?.from === "message" || heading?.from === "question");
  const errorOf = ({ name }: Field) => (Object.hasOwn(errors, name) ? errors[name] : undefined);
  const partOf = (field: Field): [PresentedField, Pick<Control, "id" | "draft" | "catalogue">] => {
    const draft = Object.hasOwn(drafts, field.name) ? drafts[field.name] : undefined;
    const presented = presentField(field, form, catalogue.recommended, draft);
    const id = controlName(fields.indexOf(field));
    return [presented, { id, draft: presented.isSecret ? undefined : draft, catalogue }];
  };
  return html`${shown.map((field) => {
    const [presented, part] = partOf(field);
    const { id } = part;
    const { words: other, control: name, isMarked } = presented;
    const error = errorOf(field) ?? (other && errorOf(other));
    const limits = limitText(field, name, catalogue) || lengthText(field, name, catalogue);
    const described = [
      field.description === undefined ? "" : `${id}-hint`,
      limits === "" ? "" : `${id}-limits`,
      error === undefined ? "" : `${id}-error`,
    ].filter((one) => one !== "");
    const describedBy = described.length === 0 ? "" : html` aria-describedby="${described.join(" ")}"`;
    const tie = html`${describedBy}${error === undefined ? "" : html` aria-invalid="true"`}`;
    const words = other === undefined ? "" : ownWords(...partOf(other));
    const control = controlOf(field, { ...presented, ...part, tie, words });
    const label = html`${field.label}${isMarked ? html` <span class="hint">(${catalogue.optional})</span>` : ""}`;
    const more = html`${limits === "" ? "" : html`<p class="hint" id="${id}-limits">${limits}</p>`}${
      field.description === undefined ? "" : html`<p class="hint" id="${id}-hint">${field.description}</p>`
    }${error === undefined ? "" : html`<p class="error" id="${id}-error">${errorText(error, errorOf(field) === undefined && other ? other : field, catalogue)}</p>`}`;
    if (control.kind === "group") {
      return html`<fieldset class="field" ${tie}>
        <legend ${isHeading ? html`class="unseen"` : ""}>${label}</legend>
        ${control.html}${more}
      </fieldset>`;
    }
    if (control.kind === "checkbox") return html`<div class="field">${control.html}${more}</div>`;
    return html`<div class="field"><label for="${id}">${label}</label>${control.html}${more}</div>`;
  })}`;
}

function controlOf(field: Field, part: Control): { kind: "group" | "checkbox" | "input"; html: Html } {
  const { id, draft, tie, catalogue, words, control, recommended } = part;
  // Without a script, nothing clears radio buttons.
  const none: readonly Answer[] = canBeEmpty(field)
    ? [{ sent: "", label: catalogue.notSet, isChosen: false }]
    : [];
  switch (field.kind) {
    case "boolean": {
      if (control === "checkbox") {
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
      return { kind: "group", html: optionsOf("radio", id, [...answers, ...none]) };
    }
    case "choice": {
      const isChosen = ({ value }: Option) => value === draft;
      const options = answersOf(field.options, isChosen, ({ value }) =>
        value === recommended?.value ? recommended.word : undefined,
      );
      if (control === "press") return { kind: "group", html: optionsOf("press", id, options) };
      if (control === "radio")
        return { kind: "group", html: html`${optionsOf("radio", id, [...options, ...none])}${words}` };
      return {
        kind: "input",
        html: html`<select id="${id}" name="${id}" ${tie}>
            <option value="">${field.required ? catalogue.choose : catalogue.notSet}</option>
            ${field.options.map((option, index) => html`<option value="${index}" ${isChosen(option) ? html` selected` : ""}>${optionLine(option, recommended)}</option>`)}
          </select>
          ${words}`,
      };
    }
    case "multi-choice": {
      const chosen = Array.isArray(draft) ? draft : [];
      const options = answersOf(field.options, ({ value }) => chosen.includes(value));
      return { kind: "group", html: optionsOf("checkbox", id, options) };
    }
    default: {
      if (control !== "rating" || field.kind !== "number")
        return { kind: "input", html: inputOf(field, part) };
      const steps = ratingSteps(field).map((step) => ({
        sent: String(step),
        label: formatNumber(step, catalogue),
        isChosen: draft === String(step),
      }));
      return { kind: "group", html: optionsOf("radio", id, [...steps, ...none], "options scale") };
    }
  }
}

function ownWords(
  { input }: PresentedField,
  { id, draft, catalogue: { ownWords: words } }: Pick<Control, "id" | "draft" | "catalogue">,
): Html {
  const attributes = html`class="own-words" id="${id}" name="${id}" rows="1" aria-label="${words}"`;
  return area(html`${attributes} ${attributesOf({ ...input, placeholder: words })}`, draft);
}

/**
 * The first line break of a `textarea` is not part of its text. The tag fits in one line, because the formatter breaks a
 * longer one there.
 */
function area(attributes: Html, draft: Draft | undefined): Html {
  const text = typeof draft === "string" ? `\n${draft}` : "";
  return html`<textarea ${attributes}>${text}</textarea>`;
}

function attributesOf({ type, inputMode, autoComplete, dir, placeholder, spellCheck }: TypedInput): Html {
  const names = { type, inputmode: inputMode, autocomplete: autoComplete, dir, placeholder };
  const attributes = { ...names, spellcheck: spellCheck };
  return html`${Object.entries(attributes).map(([name, value]) => (value === undefined ? "" : html` ${name}="${String(value)}"`))}`;
}

function inputOf(
  field: Extract<Field, { kind: "text" | "number" }>,
  { id, draft, tie, catalogue, control, input }: Control,
): Html {
  const text = typeof draft === "string" ? draft : "";
  if (control === "date-time") {
    const { wall, offset } = splitDateTime(text);
    const zone = offset || "Z";
    return html`<div class="pair-of-inputs">
      <input type="datetime-local" id="${id}" name="${id}" value="${wall}" ${tie} />
      <select name="${zoneName(Number(id.slice(1)))}" aria-label="${catalogue.timeZone}">
        ${[...new Set([...ZONES, zone])].map((one) => html`<option value="${one}" ${one === zone ? html` selected` : ""}>${one === "Z" ? "UTC" : `UTC${one}`}</option>`)}
      </select>
    </div>`;
  }
  if (control === "textarea") {
    return area(html`id="${id}" name="${id}" rows="4" ${attributesOf(input)}${tie}`, draft);
  }
  const value = field.kind === "number" ? writeNumber(text, catalogue) : text;
  return html`<input id="${id}" name="${id}" value="${value}" ${attributesOf(input)}${tie} />`;
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
  isChosen: (option: Option) => boolean,
  wordFor: (option: Option) => string | undefined = () => undefined,
): readonly Answer[] {
  return options.map((option, index) => ({
    ...option,
    sent: String(index),
    word: wordFor(option),
    isChosen: isChosen(option),
  }));
}

function optionsOf(
  type: "radio" | "checkbox" | "press",
  name: string,
  options: readonly Answer[],
  look = "options",
): Html {
  return html`<div class="${look}">
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
