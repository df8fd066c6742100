"use client";
import { useSyncExternalStore } from "react";
import type { Answers, FormState } from "./form-state.ts";

/** What a form holds. Re-renders with every change of it. */
export function useAnswers({ subscribe, answers }: FormState): Answers {
  return useSyncExternalStore(subscribe, answers, answers);
}
