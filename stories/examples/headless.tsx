import { useElicitationList, type UseElicitationListOptions } from "elicit-kit";
import { GenericForm } from "./generic-form.tsx";

/** The hook alone: one request at a time, in the app's own words and elements. */
export function Headless(props: UseElicitationListOptions) {
  const { current } = useElicitationList(props);
  if (current === undefined) return <p>Nothing is asked.</p>;
  const { request, status, notice } = current;
  if (status === "blocked") {
    return <button onClick={() => void current.decline()}>This cannot be shown. Decline it</button>;
  }
  return (
    <section aria-label="Question">
      <p>
        {request.requester?.name ?? "The assistant"} asks: {request.message}
      </p>
      {request.mode === "form" ? (
        <GenericForm key={current.id} elicitation={current} />
      ) : (
        <>
          <p>{request.url}</p>
          {status === "opened" ? (
            <button onClick={() => void current.accept()}>I am done</button>
          ) : (
            <button onClick={() => void current.connect()}>Open the page</button>
          )}
          {current.window === "blocked" && (
            <a
              href={request.url}
              target="_blank"
              rel={current.opener === undefined ? "noreferrer" : "opener"}
              onClick={current.markOpened}
            >
              Your browser blocked the window. Open the page in a tab
            </a>
          )}
        </>
      )}
      {status === "undelivered" && <button onClick={() => void current.retry()}>Send again</button>}
      <button onClick={() => void current.decline()}>No</button>
      <button onClick={() => void current.cancel()}>Not now</button>
      <output>{notice?.detail}</output>
    </section>
  );
}
