"use client";
import { useCallback, useEffect, useMemo, useState } from "react";
import {
  type Drafts,
  type Field,
  findSecretFields,
  initialDrafts,
  parseRequestedSchema,
} from "../../form/index.ts";
import type { RequestedSchema } from "../../protocol/contract.ts";
import type { PromptRoot } from "../prompt/use-prompt-root.ts";
import type { Controls, FormContextValue } from "./context.ts";
import { createFormState } from "./form-state.ts";

const NO_CONTROLS: Controls = {};

export interface FormRootOptions {
  root: PromptRoot;
  secrets: "confirm" | "refuse";
  controls: Controls | undefined;
}

/** The form of one request: its fields, what is typed into them, and the way to the answer. */
export function useFormRoot({ root, secrets, controls = NO_CONTROLS }: FormRootOptions): FormContextValue {
  const { context, rootRef } = root;
  const { request, blocked, fieldErrors, loadDrafts, saveDrafts, accept } = context.elicitation;
  if (request.mode !== "form") {
    throw new Error(
      "elicit-kit: <FormElicitationParts.Root> got a URL request. Use <ConnectPromptParts.Root> for it.",
    );
  }
  const { requestedSchema } = request;
  const [{ fields, secretFields }] = useState(() =>
    readSchema(blocked === undefined ? requestedSchema : undefined),
  );
  const hasSecrets = secretFields.length > 0;
  const [form] = useState(() =>
    createFormState({
      fields,
      hasSecrets,
      drafts: withSaved(fields, hasSecrets ? undefined : loadDrafts()),
      // Secrets stay in memory only.
      onChange: (drafts) => hasSecrets || saveDrafts(drafts),
    }),
  );

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
    const result = form.submit();
    if (result.ok) void accept(result.content);
    else focusField(result.field);
  }, [form, accept, focusField]);

  const refused = hasSecrets && secrets === "refuse";
  return useMemo(
    () => ({ ...context, fields, secretFields, refused, form, controls, submit }),
    [context, fields, secretFields, refused, form, controls, submit],
  );
}

interface ReadSchema {
  fields: readonly Field[];
  secretFields: readonly Field[];
}

function readSchema(schema: RequestedSchema | undefined): ReadSchema {
  const parsed = schema && parseRequestedSchema(schema);
  if (parsed?.ok !== true) return { fields: [], secretFields: [] };
  return { fields: parsed.fields, secretFields: findSecretFields(parsed.fields) };
}

/** Defaults, and over them what was typed before the page was loaded again. */
function withSaved(fields: readonly Field[], saved: Drafts | undefined): Drafts {
  return Object.fromEntries([...Object.entries(initialDrafts(fields)), ...Object.entries(saved ?? {})]);
}
