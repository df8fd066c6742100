/** The parts of a document that describe the look of the chat. */
interface ChatDocument {
  readonly documentElement: Element & { readonly lang: string };
}

/** The paths of the hosted page (contract, section 6). Other pages may sign their links, so those must not be changed. */
const HOSTED = /^\/auth\/(?:connect|answer)$/;

/**
 * Returns a link to the hosted page with the language and theme of the chat, so that the page has the same look from the
 * start. Settings that follow the user's system are left out, because the page reads the same system.
 */
export function pageLinkOf(href: string, chat: ChatDocument | undefined = globalThis.document): string {
  if (chat === undefined) return href;
  const { documentElement } = chat;
  const url = new URL(href);
  if (!HOSTED.test(url.pathname)) return href;
  const theme = /^(?:only )?(light|dark)$/.exec(getComputedStyle(documentElement).colorScheme)?.[1];
  for (const [name, value] of Object.entries({ lang: documentElement.lang, theme })) {
    if (value && !url.searchParams.has(name)) url.searchParams.append(name, value);
  }
  return url.href;
}
