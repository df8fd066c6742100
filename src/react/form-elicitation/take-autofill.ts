import type { SyntheticEvent } from "react";

/** Elements that a browser fills in with a text. */
const TYPED = 'textarea, input:not([type="radio"], [type="checkbox"], [type="file"])';

/**
 * Reports values that a browser or a password manager has filled in without an event. Otherwise the next render would
 * remove them, or the user would see them and send others. React ignores the event where it knows the value already.
 */
export function takeAutofill({ currentTarget: form }: SyntheticEvent<HTMLFormElement>): void {
  for (const element of form.elements) {
    if (element.matches(TYPED)) element.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

/** Props of a form that looks for such values before anything in the form renders again. */
export const takesAutofill = {
  onFocusCapture: takeAutofill,
  onBlurCapture: takeAutofill,
  onInputCapture: (event: SyntheticEvent<HTMLFormElement>) => {
    // Its own events end here.
    if (event.isTrusted) takeAutofill(event);
  },
} as const;
