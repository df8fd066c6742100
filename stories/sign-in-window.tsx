import { useSyncExternalStore } from "react";
import type { FakeBrowser } from "../src/client/popup/testing/fake-browser.ts";
import type { World } from "./world.ts";

interface SignInWindowProps {
  browser: FakeBrowser;
  world: World;
}

/** The popup, shown above the chat, because a service worker cannot answer the navigation of a real window. */
export function SignInWindow({ browser, world: { server } }: SignInWindowProps) {
  const url = useSyncExternalStore(browser.subscribe, () => browser.current?.visited.at(-1));
  if (url === undefined) return null;
  const close = () => browser.current?.close();
  const query = new URL(url).searchParams;
  const service = query.get("service") ?? "account";
  const id = query.get("elicitationId") ?? undefined;
  async function finish(end: (id?: string) => Promise<void>): Promise<void> {
    await end(id);
    close();
  }
  return (
    <section className="book-window" aria-label="Sign-in window">
      <header>
        <span>{new URL(url).host}</span>
        <button type="button" aria-label="Close window" onClick={close}>
          ×
        </button>
      </header>
      <h2>Sign in to {service}</h2>
      <p>This page stands in for the popup. No account is connected.</p>
      <div>
        <button type="button" className="button" onClick={() => void finish(server.completeOutside)}>
          Allow
        </button>
        <button type="button" className="button" onClick={() => void finish(server.declineOutside)}>
          Refuse
        </button>
        <button
          type="button"
          className="button"
          onClick={() => void server.failOutside("The password was wrong.", id)}
        >
          Wrong password
        </button>
      </div>
    </section>
  );
}
