"use client";
import { type RefObject, useEffect, useRef } from "react";
import type { Proposal } from "../../client/elicitation.ts";
import type { Field } from "../../form/index.ts";
import { namesOf } from "../../form/steps.ts";
import { activeElementFor } from "../prompt/use-prompt-root.ts";
import type { FormState } from "./form-state.ts";
import type { Steps } from "./steps.ts";

/**
 * Fills in the values that the server has read from a sentence, and moves the focus to the submit button. It does not
 * move the focus of a user who is typing in any field of the page, because a space would press the button.
 */
export function useProposal({
  proposal,
  form,
  shown,
  goToStep,
  rootRef,
}: {
  proposal: Proposal | undefined;
  form: FormState;
  shown: readonly Field[];
  goToStep: Steps["goTo"] | undefined;
  rootRef: RefObject<HTMLElement | null>;
}): void {
  /** Whether the user has given a sentence while this card was shown, and typed nothing since. */
  const isAwaited = useRef(false);
  useEffect(() => {
    if (proposal?.state !== "asking") return undefined;
    const leave = (): void => {
      isAwaited.current = false;
    };
    isAwaited.current = true;
    document.addEventListener("input", leave);
    return () => document.removeEventListener("input", leave);
  }, [proposal]);
  useEffect(() => {
    if (proposal?.state !== "filled") return;
    form.propose(proposal.content);
    const root = rootRef.current;
    if (!isAwaited.current || root === null || root.closest("[hidden]") !== null) return;
    isAwaited.current = false;
    if (root.contains(activeElementFor(root))) return;
    if (goToStep === undefined) return root.querySelector<HTMLElement>("[type=submit]")?.focus();
    const wrong = form.wrong();
    const open = shown.findIndex((field) => namesOf(field).some((name) => wrong.includes(name)));
    goToStep(open === -1 ? shown.length : open);
    // Only when the sentence has been read, because later typing must not move the focus.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [proposal]);
}
