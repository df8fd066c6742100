import { html } from "hono/html";
import type { Draft, Drafts, Field } from "../../../form/index.ts";
import type { FieldError, FieldErrors, Option } from "../../../form/field.ts";
import type { Catalogue } from "../../../words/cards/catalogue.ts";
import type { FormHeading } from "../../../words/cards/form-heading.ts";
import { isOwnWords, otherOf } from "../../../form/own-words.ts";
import { controlName, isYesNo, splitDateTime, zoneName } from "./answer-drafts.ts";
import { type Recommended, recommendedOf } from "../../../form/hints.ts";
import type { Html } from "../layout/html.ts";
import { icon } from "../layout/icons.ts";

/** A form as the user has filled it in. */
export interface FormState {
  readonly fields: readonly Field[];
  readonly drafts: Drafts;
  readonly errors: FieldErrors;
  /** The fields that ask for a secret. */
  readonly secrets: readonly Field[];
  /** The `context` of the request, with its recommended options. */
  readonly context: Readonly<Record<string, unknown>> | undefined;
}

const MAX_RADIOS = 5;
/** The limit in code points. Longer texts get a textarea. */
const LONGEST_LINE = 200;
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
  readonly recommended: Recommended | undefined;
}

/** The fields of a form as plain HTML controls, which work without scripts. */
export function formFields(
  { fields, drafts, errors, secrets, context }: FormState,
  catalogue: Catalogue,
  heading?: FormHeading,
): Html {
  const shown = fields.filter((field) => !isOwnWords(field));
  const isAlone = shown.length === 1;
  const isHeading = isAlone && heading !== undefined && heading.from !== "title";
  // "(optional)" is shown only where optional questions are the exception.
  const showsOptional = shown.filter(({ required }) => required).length * 2 > shown.length;
  const draftOf = ({ name }: Field) => (Object.hasOwn(drafts, name) ? drafts[name] : undefined);
  const errorOf = ({ name }: Field) => (Object.hasOwn(errors, name) ? errors[name] : undefined);
  return html`${shown.map((field) => {
    const id = idOf(fields, field);
    const draft = draftOf(field);
    const other = fields.find(({ name }) => name === otherOf(field));
    const error = errorOf(field) ?? (other && errorOf(other));
    const limits = limitsOf(field, catalogue);
    const described = [
      field.description === undefined ? "" : `${id}-hint`,
      limits === undefined ? "" : `${id}-limits`,
      error === undefined ? "" : `${id}-error`,
    ].filter((name) => name !== "");
    const describedBy = described.length === 0 ? "" : html` aria-describedby="${described.join(" ")}"`;
    const tie = html`${describedBy}${error === undefined ? "" : html` aria-invalid="true"`}`;
    const words = other === undefined ? "" : ownWords(idOf(fields, other), draftOf(other), catalogue);
    const isSecret = secrets.includes(field);
    const recommended = recommendedOf(context, field.name);
    const control = controlOf(
      field,
      { id, draft, tie, catalogue, words, isSecret, recommended },
      { isAlone },
    );
    const isOptional =
      showsOptional && !field.required && field.kind !== "boolean" && field.default === undefined;
    const label = html`${field.label}${isOptional ? html` <span class="hint">(${catalogue.optional})</span>` : ""}`;
    const more = html`${limits === undefined ? "" : html`<p class="hint" id="${id}-limits">${limits}</p>`}${
      field.description === undefined ? "" : html`<p class="hint" id="${id}-hint">${field.description}</p>`
    }${error === undefined ? "" : html`<p class="error" id="${id}-error">${errorText(error, catalogue)}</p>`}`;
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

function controlOf(
  field: Field,
  control: Control,
  options: { isAlone: boolean },
): { kind: "group" | "checkbox" | "input"; html: Html } {
  const { id, draft, tie, catalogue, words, recommended } = control;
  const wordFor = (value: string): string | undefined =>
    recommended?.value === value ? (recommended.word ?? catalogue.recommended) : undefined;
  switch (field.kind) {
    case "boolean": {
      if (!isYesNo(field, options)) {
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
        { value: "yes", label: catalogue.yes },
        { value: "no", label: catalogue.no },
      ];
      const chosen = draft === undefined ? [] : [draft === true ? "yes" : "no"];
      return { kind: "group", html: optionsOf("radio", id, answers, chosen) };
    }
    case "choice": {
      const chosen = typeof draft === "string" ? [draft] : [];
      if (field.options.length <= MAX_RADIOS) {
        return {
          kind: "group",
          html: html`${optionsOf("radio", id, field.options, chosen, wordFor)}${words}`,
        };
      }
      return {
        kind: "input",
        html: html`<select id="${id}" name="${id}" ${tie}>
            <option value="">${catalogue.choose}</option>
            ${field.options.map(({ value, label }) => html`<option value="${value}" ${value === draft ? html` selected` : ""}>${[label, wordFor(value)].filter(Boolean).join(" · ")}</option>`)}
          </select>
          ${words}`,
      };
    }
    case "multi-choice": {
      const chosen = Array.isArray(draft) ? draft : [];
      return { kind: "group", html: optionsOf("checkbox", id, field.options, chosen) };
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
  { id, draft, tie, catalogue, isSecret }: Control,
): Html {
  const text = typeof draft === "string" ? draft : "";
  const placeholder = field.placeholder === undefined ? "" : html` placeholder="${field.placeholder}"`;
  // A secret must be typed again, because it is not sent back to the browser.
  if (isSecret && (field.kind === "number" || field.format !== "date-time")) {
    return html`<input type="password" id="${id}" name="${id}" autocomplete="off" ${placeholder}${tie} />`;
  }
  if (field.kind === "number") {
    const mode = field.integer && (field.minimum ?? -1) >= 0 ? "numeric" : "decimal";
    return html`<input
      id="${id}"
      name="${id}"
      inputmode="${mode}"
      autocomplete="off"
      value="${text}"
      ${placeholder}${tie}
    />`;
  }
  if (field.format === "date-time") {
    const { local, zone } = splitDateTime(text);
    return html`<div class="pair-of-inputs">
      <input type="datetime-local" id="${id}" name="${id}" value="${local}" ${tie} />
      <select name="${zoneName(Number(id.slice(1)))}" aria-label="${catalogue.timeZone}">
        ${[...new Set([...ZONES, zone])].map((one) => html`<option value="${one}" ${one === zone ? html` selected` : ""}>${one === "Z" ? "UTC" : `UTC${one}`}</option>`)}
      </select>
    </div>`;
  }
  if (field.format === undefined && (field.maxLength ?? 0) > LONGEST_LINE) {
    // The first line break after the tag is not part of the text.
    return html`<textarea id="${id}" name="${id}" rows="4" dir="auto" ${placeholder}${tie}>
${text}</textarea>`;
  }
  const type = { uri: "url", email: "email", date: "date", text: "text" }[field.format ?? "text"];
  return html`<input
    type="${type}"
    id="${id}"
    name="${id}"
    dir="auto"
    value="${text}"
    ${placeholder}${tie}
  />`;
}

function optionsOf(
  type: "radio" | "checkbox",
  name: string,
  options: readonly Option[],
  chosen: readonly string[],
  wordFor: (value: string) => string | undefined = () => undefined,
): Html {
  return html`<div class="options">
    ${options.map(({ value, label, description }, index) => {
      // Links to the field point to its first option.
      const id = index === 0 ? html` id="${name}"` : "";
      const checked = chosen.includes(value) ? html` checked` : "";
      const more = description === undefined ? "" : html`<span class="hint">${description}</span>`;
      const word = wordFor(value);
      const mark =
        word === undefined ? "" : html`<span class="recommended">${icon("star")}<bdi>${word}</bdi></span>`;
      return html`<label class="option"
        ><input type="${type}" ${id} name="${name}" value="${value}" ${checked} /><span>${label} ${more}</span
        >${mark}</label
      >`;
    })}
  </div>`;
}

function limitsOf(field: Field, catalogue: Catalogue): string | undefined {
  if (field.kind === "number" && (field.minimum !== undefined || field.maximum !== undefined)) {
    return catalogue.range(formatted(field.minimum, catalogue), formatted(field.maximum, catalogue));
  }
  if (field.kind === "multi-choice" && (field.minItems !== undefined || field.maxItems !== undefined)) {
    return catalogue.count(field.minItems, field.maxItems);
  }
  return undefined;
}

function errorText({ code, limit }: FieldError, catalogue: Catalogue): string {
  const words = catalogue.errors[code];
  // A text with a limit cannot be used without one.
  if (limit === undefined && words.length > 0) return catalogue.errors.type("");
  return words(formatted(limit, catalogue) ?? "");
}

function formatted(value: number | undefined, { locale }: Catalogue): string | undefined {
  return value === undefined
    ? undefined
    : new Intl.NumberFormat(locale, { maximumFractionDigits: 20, useGrouping: "min2" }).format(value);
}
