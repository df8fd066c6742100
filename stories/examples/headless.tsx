import {
  type FormElicitationItem,
  type UrlElicitation,
  useElicitationForm,
  useElicitationList,
  type UseElicitationListOptions,
} from "elicit-kit";

/** One request at a time, with the app's own texts and elements. */
export function Headless(props: UseElicitationListOptions) {
  const { current } = useElicitationList(props);
  if (current === undefined) return <p>Nothing is asked.</p>;
  const { request, status, notice, retry, decline, cancel } = current;
  const isForm = current.mode === "form";
  return (
    <section aria-label="Question">
      <p>{`${request.requester?.name ?? "The assistant"} asks: ${request.message}`}</p>
      {status === "blocked" && <p>This cannot be shown.</p>}
      {status !== "blocked" && (isForm ? <Form item={current} /> : <Page item={current} />)}
      {status === "undelivered" && <button onClick={() => void retry()}>Send again</button>}
      <button onClick={() => void decline()}>No</button>
      <button onClick={() => void cancel()}>Not now</button>
      <output>{notice?.detail}</output>
    </section>
  );
}

function Page({ item }: { item: UrlElicitation }) {
  const { request, status, window, opener, connect, accept, markOpened } = item;
  const rel = opener === undefined ? "noreferrer" : "opener";
  return (
    <>
      <p>{request.url}</p>
      {status !== "opened" && <button onClick={() => void connect()}>Open the page</button>}
      {status === "opened" && <button onClick={() => void accept()}>I am done</button>}
      {window === "blocked" && (
        <a href={request.url} target="_blank" rel={rel} onClick={markOpened}>
          Your browser blocked the window. Open the page in a tab
        </a>
      )}
    </>
  );
}

/** A form for any schema that a server may send. */
function Form({ item }: { item: FormElicitationItem }) {
  const { fields, formProps, confirmProps, submitProps } = useElicitationForm(item);
  return (
    <form {...formProps}>
      {fields.map((field) => (
        <div key={field.name}>
          <label {...field.labelProps}>{field.label}</label>
          {field.element === "input" ? (
            <input {...field.inputProps} />
          ) : field.element === "textarea" ? (
            <textarea {...field.inputProps} />
          ) : (
            <select {...field.inputProps}>
              {field.options.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          )}
          <small {...field.descriptionProps}>{field.description}</small>
          <p {...field.errorProps}>{field.error}</p>
        </div>
      ))}
      {confirmProps && (
        <label>
          <input {...confirmProps} /> Share what looks like a password or another secret
        </label>
      )}
      <button {...submitProps}>Send</button>
    </form>
  );
}
