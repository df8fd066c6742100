import { en } from "elicit-kit/catalogues/en";
import type { RuntimeOptions } from "elicit-kit/runtime";

/** Soon enough to wait for it in front of the terminal. An application waits a minute or more. */
export const NOTIFY_AFTER_MS = 10_000;

/** What an application sends by e-mail, push or Slack (docs/run/notify.md), the demo prints in its terminal. */
export function printNotices(
  env: Readonly<Record<string, string | undefined>>,
): Pick<RuntimeOptions, "onWaiting" | "notifyAfterMs"> {
  return {
    notifyAfterMs: Number(env["NOTIFY_AFTER_MS"] ?? NOTIFY_AFTER_MS),
    onWaiting({ user, requests }) {
      // Slack itself has notified the user of a question that was asked there.
      const lines = requests
        .filter(({ surface }) => surface !== "slack")
        .map(({ kind, service, link }) => `    ${en.title(kind, service)}: ${link}`);
      if (lines.length > 0) console.log(`  A notice to ${user.id}, who is away:\n${lines.join("\n")}`);
    },
  };
}
