"use client";
import type { BoundElicitation } from "elicit-kit";
import { FormElicitationParts as Form } from "elicit-kit/parts";
import * as look from "./look";

/** A form request: who asks for what, the questions, the buttons, and at the end the receipt. */
export function FormCard({ elicitation }: { elicitation: BoundElicitation }) {
  return (
    <Form.Root elicitation={elicitation} className={look.card}>
      <div className={look.head}>
        <Form.Tile className={look.tile} />
        <Form.Title className={look.title} />
        <Form.Dismiss className={look.close} aria-label="Not now">
          ×
        </Form.Dismiss>
        <Form.Requester className={look.lead} />
        <Form.Message className={look.lead} />
        <Form.Claim className={look.lead} />
      </div>
      <Form.Warnings className={look.warning} />
      <Form.Fields className="grid gap-x-3 gap-y-4 px-4 pb-4 empty:hidden @md:grid-cols-2">
        {(field) => (
          <Form.Field
            key={field.name}
            field={field}
            className={({ size }) => (size === "half" ? "min-w-0" : "min-w-0 @md:col-span-full")}
          >
            <div className="mb-1.5">
              <Form.Label className="text-[0.8125rem] font-medium" />
              <Form.Limits className="ms-2 text-xs text-muted-foreground" />
            </div>
            <Form.Control />
            <Form.Description className="mt-1 text-xs text-muted-foreground" />
            <Form.Error className="mt-1 flex items-center gap-1.5 text-xs font-medium text-destructive" />
          </Form.Field>
        )}
      </Form.Fields>
      <Form.SecretsWarning className={look.warning} />
      <Form.Notice className={look.notice} />
      <div className={look.bar}>
        <Form.Submit className={({ folded }) => (folded ? look.quiet : look.primary)} />
        <Form.Retry className={look.secondary} />
        <Form.Decline className={look.secondary} />
        <Form.Remaining className={look.aside} />
        <Form.ErrorCount className={`${look.aside} text-destructive`} />
      </div>
      <Form.Receipt className={look.receipt} />
      <Form.Sent className="ms-6 text-[0.8125rem] text-muted-foreground" />
    </Form.Root>
  );
}
