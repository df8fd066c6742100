"use client";
import { type RefObject, useEffect } from "react";
import type { Proposal } from "../../client/elicitation.ts";
import type { Field } from "../../form/index.ts";
import { namesOf } from "../../form/steps.ts";
import { activeElementFor } from "../prompt/use-prompt-root.ts";
import type { FormState } from "./form-state.ts";
import type { Steps } from "./steps.ts";

/** Fills in what the server has read from a sentence, and leads to the button that sends. A user who types is left alone. */
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
  useEffect(() => {
    if (proposal?.state !== "filled") return;
    form.propose(proposal.content);
    const root = rootRef.current;
    if (root === null || root.closest("[hidden]") !== null) return;
    if (root.contains(activeElementFor(root))) return;
    if (goToStep === undefined) return root.querySelector<HTMLElement>("[type=submit]")?.focus();
    const wrong = form.wrong();
    const open = shown.findIndex((field) => namesOf(field).some((name) => wrong.includes(name)));
    goToStep(open === -1 ? shown.length : open);
    // Only when the sentence has been read: what the user types afterwards must not move them.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [proposal]);
}
