import type { ControlProps, ElicitationComponents } from "elicit-kit";
import type { ElicitationPromptProps } from "elicit-kit/cards";

/** Replaces the kit's rating for each field whose `context.fields[name].control` names this control. */
function Stars({ id, labelId, describedBy, draft, onChange, onBlur }: ControlProps) {
  return (
    <div role="radiogroup" id={id} aria-labelledby={labelId} aria-describedby={describedBy} onBlur={onBlur}>
      {["1", "2", "3", "4", "5"].map((value) => (
        <label key={value}>
          <input type="radio" name={id} checked={draft === value} onChange={() => onChange(value)} />
          {"★".repeat(Number(value))}
        </label>
      ))}
    </div>
  );
}

/** Renders requests whose `context.trigger` is `payment`. */
function Payment({ elicitation }: ElicitationPromptProps) {
  const { message, context } = elicitation.request;
  return (
    <section aria-label="Payment">
      <p>{message}</p>
      <button onClick={() => void elicitation.accept()}>Pay {String(context?.["amount"])}</button>
      <button onClick={() => void elicitation.decline()}>Do not pay</button>
    </section>
  );
}

/**
 * `<Elicitations components={components} … />`. Defined outside every component, so that it is always the same object.
 */
export const components: ElicitationComponents = {
  control: { rating: Stars },
  context: { payment: Payment },
};
