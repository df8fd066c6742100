"use client";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { ControlProps } from "../context.ts";
import { joinDateTime, localOffset, localZone, splitDateTime } from "../../../form/date-time.ts";
import { classes, innerProps, inputProps } from "./input-props.ts";

/** A day, with the browser's own picker. */
export function DateControl(props: ControlProps) {
  return <input {...inputProps(props)} ref={useClearable()} />;
}

/** Date and time with a time zone: the local one, unless the draft has another. The local one is the empty text here. */
export function DateTimeControl(props: ControlProps) {
  const { field, draft, onChange, catalogue } = props;
  const ref = useClearable();
  const { wall, offset } = splitDateTime(asText(draft));
  const { offset: asked } = splitDateTime(asText(field.default));
  const [last, setLast] = useState<{ draft: string; zone: string; zones: readonly string[] }>();
  // A local time that the user has not typed here follows daylight saving time too when the day changes.
  const given = offset !== asked && offset === localOffset(wall) ? "" : offset;
  const zone = last !== undefined && last.draft === draft ? last.zone : given;
  const zones = [...new Set([asked, ...(last?.zones ?? []), zone])];
  function change(nextWall: string, nextZone: string): void {
    const next = joinDateTime({ wall: nextWall, offset: nextZone || localOffset(nextWall) });
    setLast({ draft: next, zone: nextZone, zones });
    onChange(next);
  }
  return (
    <div className={classes("elicit-date-time", props)}>
      <input
        {...innerProps(props)}
        ref={ref}
        type="datetime-local"
        value={wall}
        onChange={(event) => change(event.currentTarget.value, zone)}
      />
      <select
        className="elicit-input"
        aria-label={catalogue.timeZone}
        value={zone}
        onChange={(event) => change(wall, event.currentTarget.value)}
        onBlur={props.onBlur}
      >
        <option value="">{catalogue.localTime(localZone())}</option>
        <option value="Z">UTC</option>
        {zones.map(
          (other) => /^[+-]/.test(other) && <option key={other} value={other}>{`UTC${other}`}</option>,
        )}
      </select>
    </div>
  );
}

const asText = (value: unknown): string => (typeof value === "string" ? value : "");

/**
 * For an input with a date: "Reset" in the picker of iOS returns to the `value` attribute, which React keeps equal to the
 * value, so that it would clear nothing.
 */
function useClearable(): RefObject<HTMLInputElement | null> {
  const ref = useRef<HTMLInputElement>(null);
  // Later, because React sets the attribute once more after the event that has caused this render.
  useEffect(() => queueMicrotask(() => forgetDefault(ref.current)));
  return ref;
}

function forgetDefault(input: HTMLInputElement | null): void {
  if (!input?.defaultValue) return;
  const { value } = input;
  input.defaultValue = "";
  // The attribute is the value of an input from server-rendered HTML.
  input.value = value;
}
