"use client";
import { type FocusEvent, useState } from "react";
import type { Option } from "../../../form/field.ts";

/**
 * Follows which option shows its preview: the one that the keyboard has reached or the user has picked last, else the
 * chosen one, else, where there is space for it, the first that has one.
 */
export function usePreview(options: readonly Option[], chosen: readonly string[]) {
  const [picked, setPicked] = useState<string>();
  const value = picked ?? chosen.at(-1);
  const isIdle = value === undefined;
  const option = options.find((one) => (isIdle ? one.preview !== undefined : one.value === value));
  return {
    isIdle,
    value: option?.preview === undefined ? undefined : option.value,
    onPick: setPicked,
    /** A pointer that has only been pressed must not move the option below it. */
    onFocus: (event: FocusEvent<HTMLInputElement>) => {
      if (event.currentTarget.matches(":focus-visible")) setPicked(event.currentTarget.value);
    },
  };
}

/** The preview of an option, as text. It is in the order of the Tab key, because a long one scrolls. */
export function OptionPreview({ id, option, isIdle }: { id: string; option: Option; isIdle: boolean }) {
  return (
    <pre
      className="elicit-preview"
      id={id}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- text that scrolls, with a name
      role="group"
      aria-label={option.label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and the keyboard must reach it
      tabIndex={0}
      dir="auto"
      data-idle={isIdle || undefined}
    >
      {option.preview}
    </pre>
  );
}
