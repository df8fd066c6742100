import type { FormElicitationItem } from "elicit-kit";
import { useState } from "react";

type Choices = Awaited<ReturnType<FormElicitationItem["assignees"]>>;

/** Who decides a form: for whom it waits, or to whom the user may give it. */
export function WhoDecides({ elicitation }: { elicitation: FormElicitationItem }) {
  const { assign, assignees, remind } = elicitation;
  const { assignee, from, giveOn } = elicitation.request;
  const [choices, setChoices] = useState<Choices>();
  const [told, setTold] = useState("");

  async function showChoices(): Promise<void> {
    setChoices(await assignees());
  }
  async function sendReminder(): Promise<void> {
    const { sent, retryAfterMs = 0 } = await remind();
    const minutes = Math.ceil(retryAfterMs / 60_000);
    setTold(sent ? "They get it again." : minutes > 0 ? `You can do that in ${minutes} min.` : "Try again.");
  }

  if (assignee !== undefined) {
    return (
      <p>
        Waits for {assignee.name}
        {assignee.remind && <button onClick={() => void sendReminder()}>Remind</button>}
        {assignee.takeBack && <button onClick={() => void assign(null)}>I decide</button>}
        <output>{told}</output>
      </p>
    );
  }
  return (
    <>
      {from && <p>For {from.name}</p>}
      {giveOn && <button onClick={() => void showChoices()}>Somebody else decides</button>}
      {choices?.map(({ to, name }) => (
        <button key={name} onClick={() => void assign(to)}>
          {name}
        </button>
      ))}
    </>
  );
}
