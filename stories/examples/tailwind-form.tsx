import type { ElicitationComponents } from "elicit-kit";
import type { FormElicitationProps } from "elicit-kit/cards";
import { FormElicitationParts as Form } from "elicit-kit/parts";

const button = "inline-flex items-center gap-2 rounded-full px-4 py-2 text-sm font-medium";

/** The form card with the classes of Tailwind CSS. */
function TailwindForm({ elicitation }: FormElicitationProps) {
  return (
    <Form.Root elicitation={elicitation} className="rounded-2xl border border-line bg-card p-5">
      <div className="grid gap-4">
        <header className="grid gap-1">
          <Form.Title className="text-lg font-semibold" />
          <Form.Requester className="text-sm" />
          <Form.Claim className="text-sm" />
          <Form.Message className="text-sm" />
        </header>
        <Form.Warnings className="text-sm text-danger" />
        <Form.Fields className="grid gap-4">
          {(field) => (
            <Form.Field key={field.name} field={field} className="grid gap-1">
              <Form.Label className="text-sm font-medium" />
              <Form.Control className="rounded-lg border px-3 py-2" />
              <Form.Description className="text-sm" />
              <Form.Error className="text-sm text-danger" />
            </Form.Field>
          )}
        </Form.Fields>
        <Form.SecretsWarning />
        <Form.Remember />
        <footer className="flex flex-wrap items-center gap-2">
          <Form.Note className="basis-full" />
          <Form.GiveTo className="grid basis-full gap-1">
            <Form.Label className="text-sm font-medium" />
            <Form.Control />
            <Form.Error className="text-sm text-danger" />
          </Form.GiveTo>
          <Form.Submit className={`${button} bg-primary text-on-primary`} />
          <Form.Decline className={button} />
          <Form.Delegate className={button} />
          <Form.NoAnd className={button} />
          <Form.GiveOn className={button} />
          <Form.MoreTime className={button} />
          <Form.Retry className={button} />
          <Form.Dismiss className="ml-auto text-sm" />
        </footer>
        <Form.ErrorCount className="text-sm text-danger" />
        <Form.Remaining className="text-sm" />
        <Form.Notice className="text-sm" />
        <Form.Receipt className="flex items-center gap-2 text-sm" />
        <Form.Sent className="text-sm" />
      </div>
    </Form.Root>
  );
}

export const tailwindCards: ElicitationComponents = { FormElicitation: TailwindForm };
