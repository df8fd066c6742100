"use client";
import { useCallback, useEffect, useMemo, useState } from "react";
import { type Drafts, type Field, findSecretFields, initialDrafts } from "../../form/index.ts";
import type { BoundElicitation } from "../bound-elicitation.ts";
import type { Catalogue } from "../catalogues/catalogue.ts";
import { type PromptRoot, usePromptRoot } from "../prompt/use-prompt-root.ts";
import type { Controls, FormContextValue } from "./context.ts";
import { createFormState } from "./form-state.ts";
import { useAfterPress } from "./use-after-press.ts";

const NO_CONTROLS: Controls = {};
const NO_FIELDS: readonly Field[] = [];

export interface FormRootOptions {
  elicitation: BoundElicitation;
  catalogue: Catalogue;
  secrets: "confirm" | "refuse";
  controls: Controls | undefined;
}

/** The form of one request: its fields, what is typed into them, and the way to the answer. */
export function useFormRoot(options: FormRootOptions): { root: PromptRoot; context: FormContextValue } {
  const { elicitation, catalogue, secrets, controls = NO_CONTROLS } = options;
  const { request, fields = NO_FIELDS, fieldErrors, accept } = elicitation;
  if (request.mode !== "form") {
    throw new Error(
      "elicit-kit: <FormElicitationParts.Root> got a URL request. Use <ConnectPromptParts.Root> for it.",
    );
  }
  const [{ form, secretFields, holdsTyping }] = useState(() => openForm(fields, elicitation));
  const root = usePromptRoot(elicitation, catalogue, holdsTyping);
  const { context, rootRef } = root;

  const afterPress = useAfterPress(rootRef);
  const leave = useCallback((name: string) => afterPress(() => form.blur(name)), [afterPress, form]);

  const focusField = useCallback(
    (name: string | undefined) => {
      const places = [
        ...(rootRef.current?.querySelectorAll<HTMLElement>("[data-field], [data-confirm]") ?? []),
      ];
      const place = places.find(({ dataset }) =>
        name === undefined ? "confirm" in dataset : dataset["field"] === name,
      );
      place?.querySelector<HTMLElement>("input, select, textarea, button, [tabindex]")?.focus();
    },
    [rootRef],
  );

  useEffect(() => {
    const first = fieldErrors && form.refuse(fieldErrors);
    if (first !== undefined) focusField(first);
  }, [fieldErrors, form, focusField]);

  const submit = useCallback(() => {
    const result = form.submit(unreadableFields(rootRef.current));
    if (result.ok) void accept(result.content);
    else focusField(result.field);
  }, [form, rootRef, accept, focusField]);

  const refused = secretFields.length > 0 && secrets === "refuse";
  const value = useMemo(
    () => ({ ...context, fields, secretFields, refused, form, controls, leave, submit }),
    [context, fields, secretFields, refused, form, controls, leave, submit],
  );
  return { root, context: value };
}

/** Half a date is the empty text to everybody but the browser, and would be left out in silence. */
function unreadableFields(root: HTMLElement | null): readonly string[] {
  const inputs = [...(root?.querySelectorAll<HTMLInputElement>("[data-field] input") ?? [])];
  return inputs
    .filter(({ validity }) => validity.badInput)
    .map((input) => input.closest<HTMLElement>("[data-field]")?.dataset["field"] ?? "");
}

function openForm(fields: readonly Field[], { loadDrafts, saveDrafts }: BoundElicitation) {
  const secretFields = findSecretFields(fields);
  const hasSecrets = secretFields.length > 0;
  const form = createFormState({
    fields,
    hasSecrets,
    drafts: withSaved(fields, hasSecrets ? undefined : loadDrafts()),
    // Secrets stay in memory only.
    onChange: (drafts) => hasSecrets || saveDrafts(drafts),
  });
  const holdsTyping = (root: HTMLElement | null) => form.holdsTyping() || unreadableFields(root).length > 0;
  return { form, secretFields, holdsTyping };
}

/** Defaults, and over them what was typed before the page was loaded again. */
function withSaved(fields: readonly Field[], saved: Drafts | undefined): Drafts {
  return Object.fromEntries([...Object.entries(initialDrafts(fields)), ...Object.entries(saved ?? {})]);
}
