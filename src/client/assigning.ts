import type { Assignee, AssigneeList } from "../contract/contract.ts";
import type { Reminder } from "./channel.ts";
import type { ClientContext } from "./client-context.ts";

/** See `assign`, `assignees` and `remind` of the client. */
export interface Assigning {
  assign(id: string, to: Assignee | null): Promise<boolean>;
  assignees(id: string): Promise<AssigneeList["assignees"] | undefined>;
  remind(id: string): Promise<Reminder>;
}

/** Gives forms to other users and back. A refusal of the server is no error. */
export function createAssigning({ channel, store, signal }: ClientContext): Assigning {
  const requestOf = (id: string) => store.getKnown(id).request;

  /** Whether the user still decides it, such as one of the group that it was given to. */
  async function isStillOurs(id: string): Promise<boolean> {
    const report = await channel.status?.(id, { signal }).catch(() => undefined);
    return report !== undefined;
  }

  return {
    async assign(id, to) {
      const { assignee, from } = requestOf(id);
      const isAllowed = to === null ? assignee?.takeBack : from?.giveOn;
      if (isAllowed !== true || channel.assign === undefined) return false;
      try {
        const now = await channel.assign(id, to, { signal });
        if (to !== null && (await isStillOurs(id))) return true;
        // The stream says so as well, if there is one.
        store.batch(() => {
          store.dispatch(id, { type: "received", request: { ...requestOf(id), assignee: now } });
          if (to !== null) store.dispatch(id, { type: "missing" });
        });
        return true;
      } catch {
        return false;
      }
    },
    async assignees(id) {
      if (requestOf(id).from?.giveOn !== true) return undefined;
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
