import { useElicitation, type UseElicitationOptions } from "elicit-kit";

/** The hook alone: one request at a time, in the app's own words and elements. */
export function Headless(props: UseElicitationOptions) {
  const { current } = useElicitation(props);
  if (current === undefined) return <p>Nothing is asked.</p>;
  const { request, status, blocked } = current;
  if (blocked !== undefined) {
    return <button onClick={() => void current.decline()}>This cannot be shown. Decline it</button>;
  }
  return (
    <section aria-label="Question">
      <p>{request.message}</p>
      {request.mode === "form" ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const city = new FormData(event.currentTarget).get("city");
            if (typeof city === "string") void current.accept({ city });
          }}
        >
          <label>
            City <input name="city" required />
          </label>
          <button>Send</button>
        </form>
      ) : (
        <>
          <p>{request.url}</p>
          {status === "opened" ? (
            <button onClick={() => void current.accept()}>I am done</button>
          ) : (
            <button onClick={current.connect}>Open the page</button>
          )}
        </>
      )}
      <button onClick={() => void current.decline()}>No</button>
      <button onClick={() => void current.cancel()}>Not now</button>
    </section>
  );
}
