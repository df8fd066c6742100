"use client";
import { type KeyboardEvent, type ReactNode, useState } from "react";
import type { Catalogue } from "../../../words/cards/catalogue.ts";
import type { OwnWords } from "../context.ts";
import { icon } from "../../prompt/icon.tsx";
import { isAboutComposition } from "../../prompt/keys.ts";
import { inputName } from "./input-props.ts";

interface OwnWordsRowProps {
  words: OwnWords;
  describedBy: string | undefined;
  /** The key that focuses the text field. */
  sign: ReactNode;
  catalogue: Catalogue;
}

/**
 * The last option of a choice: free text. Typing deselects the option. Selecting an option keeps the text visible, but it
 * is not the answer until the user types again. Enter sends, Shift and Enter make a new line.
 */
export function OwnWordsRow({ words, describedBy, sign, catalogue }: OwnWordsRowProps) {
  const { field, draft, onChange, onBlur, id, invalid, input } = words;
  const said = typeof draft === "string" ? draft : "";
  const [kept, setKept] = useState("");
  return (
    <label
      className="elicit-option elicit-own-words"
      data-own-words={field.name}
      data-set={said.trim() !== "" || undefined}
    >
      {icon("pencil")}
      {sign}
      <textarea
        {...input}
        id={id}
        name={inputName(field)}
        rows={1}
        aria-label={catalogue.ownWords}
        placeholder={catalogue.ownWords}
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
        value={said === "" ? kept : said}
        onChange={(event) => {
          setKept(event.currentTarget.value);
          onChange(event.currentTarget.value);
        }}
        onKeyDown={(event: KeyboardEvent<HTMLTextAreaElement>) => {
          if (event.key !== "Enter" || event.shiftKey || isAboutComposition(event.nativeEvent)) return;
          event.preventDefault();
          event.currentTarget.form?.requestSubmit();
        }}
        onBlur={onBlur}
      />
    </label>
  );
}
