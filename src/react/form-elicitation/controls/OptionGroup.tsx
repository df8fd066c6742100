"use client";
import { type FocusEvent, Fragment, type KeyboardEvent, type ReactNode, useState } from "react";
import type { Option } from "../../../form/field.ts";
import { directionOf } from "../../isolate.ts";
import type { ControlProps } from "../context.ts";
import { icon } from "../../prompt/icon.tsx";
import { isAboutComposition } from "../../prompt/keys.ts";
import { MOST_WITHOUT_SEARCH, together } from "../../../form/pick-control.ts";
import { canBeEmpty } from "../../../form/present-field.ts";
import { hasPreviews } from "../../../form/read-options.ts";
import { classes } from "./input-props.ts";
import { OptionPreview, usePreview } from "./OptionPreview.tsx";
import { OwnWordsRow } from "./OwnWordsRow.tsx";

/** More options are slow to render and to step through. The search finds them. */
const MOST_SHOWN = 100;

export interface OptionGroupProps extends ControlProps {
  /** `checkbox`: several options may be chosen. */
  type: "radio" | "checkbox";
  options: readonly Option[];
  chosen: readonly string[];
  onPick: (value: string, checked: boolean) => void;
}

/**
 * Radio buttons or checkboxes, with a search box for more than 15. Selected options stay listed during a search. Optional
 * radio buttons have a button to clear them, unless one is selected by default. A preview is shown beside the options, or
 * below its own one where there is no space.
 */
export function OptionGroup(props: OptionGroupProps) {
  const {
    field,
    type,
    options,
    chosen,
    onPick,
    onChange,
    onBlur,
    id,
    labelId,
    describedBy,
    invalid,
    layout,
    ownWords,
    hasKeys,
    catalogue,
  } = props;
  const [query, setQuery] = useState("");
  const radio = type === "radio";
  const found = matching(options, query);
  const listed = found.slice(0, MOST_SHOWN);
  // A listed option keeps its position when it is selected. Otherwise it would move while the user selects with arrow
  // keys.
  const kept = options.filter((option) => chosen.includes(option.value) && !listed.includes(option));
  const shown = [...kept, ...listed];
  const hidden = found.length - MOST_SHOWN;
  const preview = usePreview(shown, chosen);
  const previewId = `${id}-preview`;
  const previewed = hasPreviews(options);
  const stars = layout === "stars";
  const keysShown = radio && hasKeys && (layout === "cards" || layout === "columns");
  const note: ReactNode = stars
    ? ratingOf(options, chosen, catalogue)
    : hidden > 0
      ? catalogue.moreOptions(hidden)
      : shown.length === 0 && catalogue.noMatch;
  // The button to clear is outside, because the group may be laid out as one row.
  return (
    <>
      <div
        className={classes("elicit-options", props)}
        id={id}
        role={radio ? "radiogroup" : "group"}
        aria-labelledby={labelId}
        aria-describedby={describedBy}
        aria-invalid={(radio && invalid) || undefined}
        aria-required={(radio && field.required) || undefined}
        data-layout={layout}
        // The key of the first option.
        data-keys={radio && hasKeys ? (field.kind === "number" ? field.minimum : 1) : undefined}
        data-short={(layout === "segments" && together(options) <= LONGEST_ROW) || undefined}
        data-beside={(layout === "cards" && !previewed && options.every(fitsBeside)) || undefined}
        data-previews={previewed || undefined}
        onBlur={(event: FocusEvent<HTMLElement>) => {
          if (!event.currentTarget.contains(event.relatedTarget)) onBlur();
        }}
      >
        {options.length > MOST_WITHOUT_SEARCH && (
          <>
            {icon("search")}
            <input
              className="elicit-input"
              type="search"
              aria-label={catalogue.search}
              placeholder={catalogue.search}
              value={query}
              onChange={(event) => setQuery(event.currentTarget.value)}
              onKeyDown={(event: KeyboardEvent) => {
                if (event.key === "Enter") event.preventDefault();
                if (event.key !== "Escape" || query === "" || isAboutComposition(event.nativeEvent)) return;
                event.preventDefault();
                setQuery("");
              }}
            />
          </>
        )}
        {shown.map((option, index) => {
          const { value, label } = option;
          const isPreviewed = value === preview.value;
          return (
            <Fragment key={value}>
              <label className="elicit-option">
                <input
                  type={type}
                  name={id}
                  value={value}
                  checked={chosen.includes(value)}
                  aria-label={stars ? label : undefined}
                  aria-describedby={isPreviewed ? previewId : undefined}
                  onFocus={previewed ? preview.onFocus : undefined}
                  onChange={(event) => {
                    preview.onPick(value);
                    onPick(value, event.currentTarget.checked);
                  }}
                />
                {keysShown && keyTile(index)}
                {stars ? icon("star") : optionText(option, props)}
              </label>
              {isPreviewed && <OptionPreview id={previewId} isIdle={preview.isIdle} {...{ option }} />}
            </Fragment>
          );
        })}
        {note !== false && <p className="elicit-muted">{note}</p>}
      </div>
      {ownWords && (
        <OwnWordsRow
          words={ownWords}
          describedBy={describedBy}
          sign={keysShown && keyTile(shown.length)}
          {...{ catalogue }}
        />
      )}
      {radio && canBeEmpty(field) && chosen.length > 0 && (
        <button className="elicit-link-button" type="button" onClick={() => onChange(undefined)}>
          {catalogue.clear}
        </button>
      )}
    </>
  );
}

/**
 * One button for each option, and pressing one is the answer. Radio buttons would not do: arrow keys select them, and must
 * not send.
 */
export function OptionButtons(props: ControlProps & { options: readonly Option[] }) {
  const { options, draft, onChange, id, labelId, describedBy, layout } = props;
  return (
    <div
      className={classes("elicit-options", props)}
      id={id}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a div like that of the other options, so one style fits
      role="group"
      aria-labelledby={labelId}
      aria-describedby={describedBy}
      data-layout={layout}
      data-keys="1"
      data-beside={options.every(fitsBeside) || undefined}
    >
      {options.map((option, index) => (
        <button
          className="elicit-option"
          type="submit"
          key={option.value}
          data-answer=""
          aria-current={draft === option.value || undefined}
          onClick={() => onChange(option.value)}
        >
          {keyTile(index)}
          {optionText(option, props)}
        </button>
      ))}
    </div>
  );
}

/** The label and the description, with a mark if the option is recommended. */
function optionText(
  { value, label, description }: Option,
  { recommended, catalogue }: Pick<ControlProps, "recommended" | "catalogue">,
): ReactNode {
  return (
    <>
      <span dir={directionOf(`${label}${description ?? ""}`, catalogue.dir)}>
        <span>{label}</span>
        {description !== undefined && <small>{description}</small>}
      </span>
      {value === recommended?.value && (
        <span className="elicit-recommended">
          <span> </span>
          {icon("star")}
          <bdi>{recommended.word}</bdi>
        </span>
      )}
    </>
  );
}

/** The limit in UTF-16 units for labels that fit in one row of a narrow card. */
const LONGEST_ROW = 30;

/** The limit in UTF-16 units for a label with its description on one line of a card. */
const LONGEST_LINE = 40;

/** Whether the description fits beside the label. If one does not fit, all are placed below. */
function fitsBeside({ label, description = "" }: Option): boolean {
  return label.length + description.length <= LONGEST_LINE;
}

/** The key that selects an option. Hidden on devices without a keyboard. */
function keyTile(index: number): ReactNode {
  return index < 9 && <kbd aria-hidden="true">{index + 1}</kbd>;
}

function ratingOf(
  options: readonly Option[],
  [value]: readonly string[],
  catalogue: ControlProps["catalogue"],
): string {
  const chosen = options.find((option) => option.value === value);
  return chosen ? catalogue.outOf(chosen.label, options.at(-1)?.label ?? "") : catalogue.notSet;
}

function matching(options: readonly Option[], query: string): readonly Option[] {
  if (query === "") return options;
  const words = query.toLocaleLowerCase().split(/\s+/);
  return options.filter(({ label, value }) => {
    const text = `${label} ${value}`.toLocaleLowerCase();
    return words.every((word) => text.includes(word));
  });
}
