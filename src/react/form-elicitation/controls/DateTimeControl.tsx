"use client";
import { useState } from "react";
import type { ControlProps } from "../context.ts";
import { joinDateTime, localOffset, localZone, splitDateTime } from "../../../form/date-time.ts";
import { classes, innerProps } from "./input-props.ts";

const LOCAL = "local";

/** Date and time with a time zone: the local one, unless the field's default has another. */
export function DateTimeControl(props: ControlProps) {
  const { field, draft, onChange, catalogue } = props;
  const { wall, offset } = splitDateTime(asText(draft));
  const { offset: asked } = splitDateTime(asText(field.default));
  const [zone, setZone] = useState(() => {
    if (offset === "") return LOCAL;
    // A local time from before a reload: it follows daylight saving time when the day changes.
    return offset !== asked && offset === localOffset(wall) ? LOCAL : offset;
  });
  const [first] = useState(zone);
  const others = [...new Set([asked, first])].filter((other) => !["", LOCAL, "Z"].includes(other));
  function change(nextWall: string, nextZone: string): void {
    setZone(nextZone);
    onChange(joinDateTime({ wall: nextWall, offset: nextZone === LOCAL ? localOffset(nextWall) : nextZone }));
  }
  return (
    <div className={classes("elicit-date-time", props)}>
      <input
        {...innerProps(props)}
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
        <option value={LOCAL}>{catalogue.localTime(localZone())}</option>
        <option value="Z">UTC</option>
        {others.map((other) => (
          <option key={other} value={other}>{`UTC${other}`}</option>
        ))}
      </select>
    </div>
  );
}

const asText = (value: unknown): string => (typeof value === "string" ? value : "");
