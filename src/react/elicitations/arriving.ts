import { useCallback, useMemo, useSyncExternalStore } from "react";
import type { ElicitationClient } from "../../client/index.ts";

type Arriving = NonNullable<ReturnType<ElicitationClient["getSnapshot"]>["arriving"]>;
const NONE: Arriving = { requests: [], hasFailed: false };
const onServer = (): Arriving => NONE;

/** The requests of a conversation whose code is not there yet. */
export function useArriving(client: ElicitationClient, conversationId: string | undefined): Arriving {
  const subscribe = useCallback(
    // It does not show the requests.
    (listener: () => void) => client.subscribe(listener, () => false),
    [client],
  );
  const arriving = useSyncExternalStore(subscribe, () => client.getSnapshot().arriving ?? NONE, onServer);
  return useMemo(() => {
    if (conversationId === undefined) return arriving;
    const requests = arriving.requests.filter((request) => request.conversationId === conversationId);
    return { ...arriving, requests };
  }, [arriving, conversationId]);
}
