import type { BoundElicitation, ElicitationComponents } from "elicit-kit";
import { ConnectPromptParts as Connect, FormElicitationParts as Form } from "elicit-kit/parts";

/** The kit's parts in your own order and style. They keep the kit's rules, focus handling and announcements. */
function OwnCard({ elicitation }: { elicitation: BoundElicitation }) {
  if (elicitation.request.mode === "url") {
    return (
      <Connect.Root elicitation={elicitation} className="own-card">
        <Connect.Title />
        <Connect.Requester />
        <Connect.Claim />
        <Connect.Message render={<blockquote />} />
        <Connect.Url />
        <Connect.Warnings />
        <Connect.Retry />
        <Connect.Waiting />
        <Connect.Fallback />
        <Connect.Finished />
        <Connect.Connect className={({ awaited }) => (awaited ? "quiet" : "loud")} />
        <Connect.Decline />
        <Connect.Dismiss>Later</Connect.Dismiss>
        <Connect.Remaining />
        <Connect.MoreTime />
        <Connect.Notice />
        <Connect.Receipt />
      </Connect.Root>
    );
  }
  return (
    <Form.Root elicitation={elicitation} className="own-card">
      <Form.Title />
      <Form.Requester />
      <Form.Claim />
      <Form.Message render={<blockquote />} />
      <Form.Warnings />
      <Form.Fields>
        {(field) => (
          <Form.Field key={field.name} field={field}>
            <Form.Label />
            <Form.Limits />
            <Form.Control className="own-control" />
            <Form.Description />
            <Form.Error />
          </Form.Field>
        )}
      </Form.Fields>
      <Form.SecretsWarning />
      <Form.Remember />
      <Form.Note />
      <Form.GiveTo>
        <Form.Label />
        <Form.Control className="own-control" />
        <Form.Error />
      </Form.GiveTo>
      <Form.Submit />
      <Form.Decline />
      <Form.Delegate />
      <Form.NoAnd />
      <Form.GiveOn />
      <Form.WaitsFor />
      <Form.Remind />
      <Form.TakeBack />
      <Form.Retry />
      <Form.Dismiss>Later</Form.Dismiss>
      <Form.Remaining />
      <Form.MoreTime />
      <Form.ErrorCount />
      <Form.Notice />
      <Form.Receipt />
      <Form.Sent />
    </Form.Root>
  );
}

/** `<Elicitations components={ownCards} … />`. Defined outside every component, so that it is always the same object. */
export const ownCards: ElicitationComponents = { ConnectPrompt: OwnCard, FormElicitation: OwnCard };
