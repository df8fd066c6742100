import type { Assignee, AssigneeList } from "../contract/contract.ts";
import type { Reminder } from "./channel.ts";
import type { ClientContext } from "./client-options.ts";

/** See `assign`, `assignees` and `remind` of the client. */
export interface Assigning {
  assign(id: string, to: Assignee | null): Promise<boolean>;
  assignees(id: string): Promise<AssigneeList["assignees"] | undefined>;
  remind(id: string): Promise<Reminder>;
}

/** Assigns forms to other users, and takes them back. A refusal by the server is not thrown. */
export function createAssigning({ channel, store, signal }: ClientContext): Assigning {
  const requestOf = (id: string) => store.getKnown(id).request;

  /** Whether this user can still answer, for example as a member of the group that now has the request. */
  async function isStillOurs(id: string): Promise<boolean> {
    const report = await channel.status?.(id, { signal }).catch(() => undefined);
    return report !== undefined;
  }

  return {
    async assign(id, to) {
      const { assignee, from, giveOn } = requestOf(id);
      const isAllowed = to === null ? assignee?.takeBack : assignee === undefined && giveOn;
      if (isAllowed !== true || channel.assign === undefined) return false;
      try {
        const now = await channel.assign(id, to, { signal });
        const isGivenOn = to !== null && from !== undefined;
        if (isGivenOn && (await isStillOurs(id))) return true;
        // Update the item here, because the conversation may have no stream that reports the change.
        store.batch(() => {
          store.dispatch(id, { type: "received", request: { ...requestOf(id), assignee: now } });
          if (isGivenOn) store.dispatch(id, { type: "missing" });
        });
        return true;
      } catch {
        return false;
      }
    },
    async assignees(id) {
      if (requestOf(id).giveOn !== true) return undefined;
      return channel.assignees?.(id, { signal }).catch(() => undefined);
    },
    async remind(id) {
      const { assignee } = requestOf(id);
      const failed: Reminder = { sent: false };
      if (assignee?.remind !== true) return failed;
      return (await channel.remind?.(id, { signal }).catch(() => undefined)) ?? failed;
    },
  };
}
