"use client";
import type { ControlProps, Controls } from "elicit-kit";
import { Checkbox } from "@/registry/default/ui/checkbox";
import { Input } from "@/registry/default/ui/input";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/registry/default/ui/select";
import { Textarea } from "@/registry/default/ui/textarea";

function TextControl({
  field,
  draft,
  onChange,
  onBlur,
  id,
  describedBy,
  invalid,
  input,
  className,
}: ControlProps) {
  return (
    <Input
      {...input}
      id={id}
      className={className}
      required={field.required}
      aria-invalid={invalid || undefined}
      aria-describedby={describedBy}
      value={typeof draft === "string" ? draft : ""}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={onBlur}
    />
  );
}

function TextareaControl({
  field,
  draft,
  onChange,
  onBlur,
  id,
  describedBy,
  invalid,
  input,
  secret,
  className,
}: ControlProps) {
  return (
    <Textarea
      {...input}
      id={id}
      // Browsers have no hidden input for several lines.
      className={secret ? `[-webkit-text-security:disc] ${className ?? ""}` : className}
      required={field.required}
      aria-invalid={invalid || undefined}
      aria-describedby={describedBy}
      value={typeof draft === "string" ? draft : ""}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={onBlur}
    />
  );
}

const NONE = "none";

function SelectControl({
  field,
  draft,
  onChange,
  onBlur,
  id,
  labelId,
  describedBy,
  invalid,
  recommended,
  className,
  catalogue,
}: ControlProps) {
  if (field.kind !== "choice") return null;
  const { options, required } = field;
  const chosen = options.findIndex(({ value }) => value === draft);
  const nothing = required ? catalogue.choose : catalogue.notSet;
  return (
    <Select
      // By index, because an option may have the empty text as its value, which differs from no choice.
      value={chosen === -1 ? "" : String(chosen)}
      required={required}
      onValueChange={(value: string | null) => onChange(options[Number(value ?? NONE)]?.value)}
      onOpenChange={(open) => {
        if (!open) onBlur();
      }}
    >
      <SelectTrigger
        id={id}
        className={`w-full ${className ?? ""}`}
        aria-labelledby={`${labelId} ${id}`}
        aria-describedby={describedBy}
        aria-invalid={invalid || undefined}
      >
        {/* Radix shows the placeholder, Base UI shows the children. */}
        <SelectValue placeholder={nothing}>{options[chosen]?.label ?? nothing}</SelectValue>
      </SelectTrigger>
      <SelectContent>
        {!required && <SelectItem value={NONE}>{nothing}</SelectItem>}
        {options.map(({ value, label }, index) => (
          <SelectItem key={value} value={String(index)}>
            {value === recommended?.value ? `${label} · ${recommended.word}` : label}
          </SelectItem>
        ))}
      </SelectContent>
    </Select>
  );
}

function CheckboxControl({ draft, onChange, onBlur, id, describedBy, invalid, className }: ControlProps) {
  return (
    <Checkbox
      id={id}
      className={className}
      checked={draft === true}
      aria-invalid={invalid || undefined}
      aria-describedby={describedBy}
      onCheckedChange={(checked) => onChange(checked === true)}
      onBlur={onBlur}
    />
  );
}

/**
 * The components of ui/ instead of the kit's controls. The kit renders the others: numbers, dates with a time, lists of
 * options.
 */
export const controls: Controls = {
  text: TextControl,
  email: TextControl,
  url: TextControl,
  date: TextControl,
  textarea: TextareaControl,
  select: SelectControl,
  checkbox: CheckboxControl,
};
