import { en } from "elicit-kit/catalogues/en";
import type { RuntimeOptions } from "elicit-kit/runtime";

/** Short enough to wait for in front of the terminal. An application waits a minute or more. */
export const NOTIFY_AFTER_MS = 10_000;

/** Prints the notices in the terminal. An application sends them by e-mail, push or Slack (docs/run/notify.md). */
export function printNotices(
  env: Readonly<Record<string, string | undefined>>,
): NonNullable<RuntimeOptions["notices"]> {
  return {
    afterMs: Number(env["NOTIFY_AFTER_MS"] ?? NOTIFY_AFTER_MS),
    onWaiting({ user, requests }) {
      // Slack itself has notified the user of a request in a Slack thread.
      const lines = requests
        .filter(({ surface }) => surface !== "slack")
        .map(({ kind, service, link }) => `    ${en.title(kind, service)}: ${link}`);
      if (lines.length > 0) console.log(`  A notice to ${user.id}, who is away:\n${lines.join("\n")}`);
    },
  };
}
