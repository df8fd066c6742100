export function isEventStream(response: Response): boolean {
  return (
    response.ok &&
    response.headers.get("content-type")?.toLowerCase().startsWith("text/event-stream") === true
  );
}
