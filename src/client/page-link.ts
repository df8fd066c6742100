/** The part of a document that says how the chat looks. */
interface ChatDocument {
  readonly documentElement: Element & { readonly lang: string };
}

/** Paths of the hosted page (contract, section 6). Any other page may sign its links. */
const HOSTED = /^\/auth\/(?:connect|answer)$/;

/**
 * A link to the hosted page, with language and theme of the chat, so that the page looks like it from its first
 * byte. What the user's system decides is left out: the page asks the same system.
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
