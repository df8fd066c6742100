"use client";
import {
  type ForwardedRef,
  forwardRef,
  type InputHTMLAttributes,
  type KeyboardEvent,
  type ReactElement,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useState,
} from "react";
import { MAX_NOTE_LENGTH } from "../../contract/contract.ts";
import { waitsForOther } from "../bound-elicitation.ts";
import { isolate } from "../isolate.ts";
import { type PartProps, usePartElement } from "../part.ts";
import { buttonView } from "../prompt/button-view.ts";
import type { PromptShared } from "../prompt/context.ts";
import { isAboutComposition } from "../prompt/keys.ts";
import type { PartRender } from "../view.ts";
import { type DeclineNote, formPart, type FormShared, useForm } from "./context.ts";
import { formatNumber } from "../../form/number-text.ts";

/** `note` is absent if no agent reads it. `decline` includes the note. `said` is the note that was sent. */
export function useDeclineNote(
  { elicitation, decline }: PromptShared,
  inputRef: RefObject<HTMLInputElement | null>,
): {
  note: DeclineNote | undefined;
  decline: (note?: string) => void;
  said: string | undefined;
} {
  const { status, action, takesNote } = elicitation;
  const [text, change] = useState("");
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (isOpen) inputRef.current?.focus();
  }, [isOpen, inputRef]);
  const isOffered =
    takesNote === true && !waitsForOther(elicitation) && (status === "pending" || status === "submitting");
  const said = isOpen && text.trim() !== "" ? text.trim() : undefined;
  const note = useMemo(
    () => (isOffered ? { text, isOpen, inputRef, change, toggle: () => setOpen(!isOpen) } : undefined),
    [isOffered, text, isOpen, inputRef],
  );
  const declineWith = useCallback(() => decline(said), [decline, said]);
  const isSaid = status === "declined" && action === "decline";
  return { note, decline: declineWith, said: isSaid ? said : undefined };
}

export function noAndView({
  elicitation,
  catalogue,
  note,
  isGiving,
}: FormShared): PartRender<FormElicitationNoAnd.State> | undefined {
  if (note === undefined || isGiving) return undefined;
  const { isOpen: open, toggle } = note;
  return buttonView(open ? catalogue.back : catalogue.noAnd, toggle, {
    open,
    busy: elicitation.status === "submitting",
  });
}

/**
 * Opens the text field of `Note`, and returns from it. Renders a `<button>`, or nothing if no agent reads a note, because
 * a third party does not get one.
 */
export const FormElicitationNoAnd = /* @__PURE__ */ formPart<"button", FormElicitationNoAnd.State>(
  "NoAnd",
  noAndView,
);
export namespace FormElicitationNoAnd {
  export type Props = PartProps<"button", State>;
  export interface State {
    /** `data-open`: the text field is open, and the button returns from it. */
    open: boolean;
    /** `data-busy`: an answer is being sent. */
    busy: boolean;
  }
}

export function noteView(
  { elicitation, catalogue, messageId, note, decline }: FormShared,
  draw: FormElicitationNote.Props["children"] = (props) => <input {...props} />,
  labelClass?: string,
): PartRender | undefined {
  if (!note?.isOpen) return undefined;
  const { text, inputRef, change } = note;
  const used = catalogue.outOf(
    formatNumber([...text].length, catalogue),
    formatNumber(MAX_NOTE_LENGTH, catalogue),
  );
  const name = elicitation.request.requester?.name;
  const hintId = `${messageId}note`;
  const children = (
    <>
      <label className={labelClass}>
        <span>{catalogue.noAndLine}</span>
        {draw({
          ref: inputRef,
          dir: "auto",
          value: text,
          maxLength: MAX_NOTE_LENGTH,
          "aria-describedby": hintId,
          onChange: (event) => change(event.currentTarget.value),
          onKeyDown: (event: KeyboardEvent) => {
            if (event.key !== "Enter" || isAboutComposition(event.nativeEvent)) return;
            event.preventDefault();
            if (elicitation.status !== "submitting") decline();
          },
        })}
      </label>
      <small id={hintId}>{catalogue.onlyReads(name && isolate(name), used)}</small>
    </>
  );
  return { tag: "div", state: {}, props: { children } };
}

/**
 * The text field of "No, and …", and who reads it. While it is open, `Decline` and Enter send it with the decline, and
 * `Submit` renders nothing. `children` renders another input. Renders a `<div>`, or nothing while the text field is
 * closed.
 */
export const FormElicitationNote = /* @__PURE__ */ forwardRef(function FormElicitationNote(
  { children, ...props }: FormElicitationNote.Props,
  ref: ForwardedRef<HTMLDivElement>,
) {
  return usePartElement(props, ref, noteView(useForm("Note"), children));
});
export namespace FormElicitationNote {
  export type Props = Omit<PartProps<"div">, "children"> & {
    /** Renders the input in another way. Spread all props. */
    children?:
      | ((
          props: InputHTMLAttributes<HTMLInputElement> & { ref: RefObject<HTMLInputElement | null> },
        ) => ReactElement)
      | undefined;
  };
}
