import { html } from "hono/html";

export type Html = ReturnType<typeof html>;

/** What the page's script needs to know. Everything here may be read by whoever looks at the page. */
export interface PageData {
  page: "asking" | "consent" | "ended" | "refused";
  elicitationId?: string | undefined;
  chatOrigin?: string | undefined;
  challenge?: string | undefined;
  /** Where the page goes when the chat has vouched. */
  next?: string | undefined;
  /** The message that tells the chat to look at the status. */
  notify?: "elicitation-complete" | "elicitation-failed" | undefined;
  cutOpener?: boolean | undefined;
  /** Loads the script that goes with Nango. */
  isNango?: boolean | undefined;
}

/** Every value is escaped by `html`; nothing is inline, so the policy of the page allows no inline code at all. */
export function layout(title: string, data: PageData, content: Html): Html {
  const attributes = Object.entries({
    "data-page": data.page,
    "data-elicitation-id": data.elicitationId,
    "data-chat-origin": data.chatOrigin,
    "data-challenge": data.challenge,
    "data-next": data.next,
    "data-notify": data.notify,
    "data-cut-opener": data.cutOpener === true ? "true" : undefined,
  }).map(([name, value]) => (value === undefined ? "" : html` ${name}="${value}"`));
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="stylesheet" href="/auth/connect.css" />
        <script src="/auth/connect.js" defer></script>
        ${data.isNango === true ? html`<script type="module" src="/auth/connect-nango.js"></script>` : ""}
      </head>
      <body${attributes}>
        <main>${content}</main>
      </body>
    </html>`;
}
