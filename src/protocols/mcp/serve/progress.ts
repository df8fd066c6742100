import type { ServerContext } from "@modelcontextprotocol/server";

/** Sends `notifications/progress`, if the client asked for progress. */
export function progressOf(
  { mcpReq }: ServerContext,
  onError: (error: unknown) => void,
): (message: string) => void {
  const { _meta: meta } = mcpReq;
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let progress = 0;
  return (message) => {
    progress += 1;
    mcpReq
      .notify({ method: "notifications/progress", params: { progressToken, progress, message } })
      .catch(onError);
  };
}
