"use client";
import { useSyncExternalStore } from "react";
import type { FormState } from "./form-state.ts";

/** Re-renders with every change of a form. */
export function useFormVersion({ subscribe, version }: FormState): void {
  useSyncExternalStore(subscribe, version, version);
}
