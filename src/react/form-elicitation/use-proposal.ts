"use client";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { Proposal } from "../../client/elicitation.ts";
import type { Field } from "../../form/index.ts";
import { askingField } from "../../form/steps.ts";
import type { Catalogue } from "../../words/cards/catalogue.ts";
import { isolate } from "../isolate.ts";
import type { PromptShared } from "../prompt/context.ts";
import { activeElementFor } from "../prompt/use-prompt-root.ts";
import type { OpenForm } from "./open-form.ts";
import type { Steps } from "./steps.ts";

interface ProposalOptions {
  prompt: PromptShared;
  open: OpenForm;
  shown: readonly Field[];
  goToStep: Steps["goTo"] | undefined;
  focusField: (name: string) => void;
  rootRef: RefObject<HTMLElement | null>;
}

/**
 * Fills in the values that the server has read from a sentence, and moves the focus to the first answer that is still
 * open, else to the submit button. It does not move the focus of a user who is typing in any field of the page, because a
 * space would press the button. Returns the notice that names the filled in fields.
 */
export function useProposal({
  prompt: { elicitation, catalogue, announce },
  open: { form, fields },
  shown,
  goToStep,
  focusField,
  rootRef,
}: ProposalOptions): PromptShared["told"] {
  const { proposal, notice, status } = elicitation;
  const [told, setTold] = useState<{ sentence: string; about: Proposal }>();
  /** Whether the user has given a sentence while this card was shown, and typed nothing since. */
  const isAwaited = useRef(false);
  useEffect(() => {
    if (proposal?.state !== "asking") return undefined;
    const leave = (): void => {
      isAwaited.current = false;
    };
    isAwaited.current = true;
    // While it is captured, because cards keep the event from what is around them.
    document.addEventListener("input", leave, true);
    return () => document.removeEventListener("input", leave, true);
  }, [proposal]);
  useEffect(() => {
    if (proposal?.state !== "filled") return;
    const { filled, differing } = form.propose(proposal.content);
    const sentence = sentenceOf(filled, { differing, fields, catalogue });
    setTold(sentence === undefined ? undefined : { sentence, about: proposal });
    if (sentence !== undefined) announce(sentence);
    const root = rootRef.current;
    if (!isAwaited.current || root === null || root.closest("[hidden]") !== null) return;
    isAwaited.current = false;
    if (root.contains(activeElementFor(root))) return;
    const [first] = [...differing, ...form.wrong()];
    if (first !== undefined) return focusField(first);
    if (goToStep !== undefined) return goToStep(shown.length);
    root.querySelector<HTMLElement>("[type=submit]")?.focus();
    // Only when the sentence has been read, because later typing must not move the focus.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [proposal]);
  const isShown = told !== undefined && told.about === proposal && notice === undefined;
  return isShown && status !== "answered" ? { notice: "filled", sentence: told.sentence } : undefined;
}

/** Names the filled in fields. Where the sentence says something else, the field itself says that. */
function sentenceOf(
  filled: readonly string[],
  {
    differing,
    fields,
    catalogue,
  }: { differing: readonly string[]; fields: readonly Field[]; catalogue: Catalogue },
): string | undefined {
  const { proposals, locale } = catalogue;
  if (filled.length === 0) return differing.length === 0 ? proposals.same : undefined;
  return proposals.filled(new Intl.ListFormat(locale).format(filled.map((name) => labelOf(name, fields))));
}

/** The label of the question. A free text has that of its choice. */
function labelOf(name: string, fields: readonly Field[]): string {
  const field = fields.find((one) => one.name === name);
  return isolate(field === undefined ? "" : askingField(field, fields).label);
}
