/** The behaviour of a browser as a server sees it: cookies by host, redirects, forms. */
export interface Browser {
  get(url: string, headers?: Record<string, string>): Promise<Page>;
  /** Sends a form of `page`'s origin. */
  post(
    url: string,
    fields: Readonly<Record<string, string>>,
    headers?: Record<string, string>,
  ): Promise<Page>;
  /** Like `post`, for a form in which a name occurs more than once. */
  postPairs(
    url: string,
    pairs: readonly (readonly [string, string])[],
    headers?: Record<string, string>,
  ): Promise<Page>;
  /** Follows redirects to their end. */
  follow(page: Page): Promise<Page>;
  /**
   * Opens a page like a user who follows a link, with all redirects and refreshes, each with the referrer that the
   * previous page allows. `until`: stops before a URL with this prefix, and returns the page before it.
   */
  visit(url: string, options?: { until?: string; headers?: Record<string, string> }): Promise<Page>;
  /** Cookies by origin, as name and value. */
  cookies(origin: string): Readonly<Record<string, string>>;
  setCookie(origin: string, name: string, value: string): void;
}

export interface Page {
  url: string;
  status: number;
  headers: Headers;
  text: string;
}

/** More redirects than any finite way has. */
const MAX_HOPS = 20;

type Fetch = (request: Request) => Promise<Response>;

/** `sites` run in this process, by origin. All other URLs use the network. */
export function createBrowser(sites: Readonly<Record<string, Fetch>>): Browser {
  const jar = new Map<string, Map<string, string>>();

  async function send(
    url: string,
    headers: Readonly<Record<string, string>>,
    init: { method: string; body?: string } = { method: "GET" },
  ): Promise<Page> {
    const { origin } = new URL(url);
    const stored = jar.get(origin) ?? new Map<string, string>();
    jar.set(origin, stored);
    const cookie = [...stored].map(([name, value]) => `${name}=${value}`).join("; ");
    const request = new Request(url, {
      ...init,
      redirect: "manual",
      headers: { ...headers, ...(cookie !== "" && { cookie }) },
    });
    const site = Object.hasOwn(sites, origin) ? sites[origin] : undefined;
    const response = await (site ?? fetch)(request);
    for (const line of response.headers.getSetCookie()) {
      const [pair = "", ...attributes] = line.split("; ");
      const name = pair.slice(0, pair.indexOf("="));
      const isGone = attributes.some((attribute) =>
        /^(max-age=0|expires=Thu, 01 Jan 1970.*)$/i.test(attribute),
      );
      if (isGone) stored.delete(name);
      else stored.set(name, pair.slice(name.length + 1));
    }
    return { url, status: response.status, headers: response.headers, text: await response.text() };
  }

  async function visit(
    url: string,
    {
      until,
      headers = { "sec-fetch-dest": "document" },
    }: { until?: string; headers?: Record<string, string> } = {},
  ): Promise<Page> {
    let page = await send(url, headers);
    let { referer } = headers;
    for (let hops = 0; hops < MAX_HOPS; hops += 1) {
      const next = nextOf(page);
      if (next === undefined || (until !== undefined && next.startsWith(until))) return page;
      const isAllowed = page.headers.get("referrer-policy") !== "no-referrer";
      if (page.headers.has("refresh")) referer = `${new URL(page.url).origin}/`;
      if (!isAllowed) referer = undefined;
      page = await send(next, { ...headers, ...(referer !== undefined && { referer }) });
    }
    throw new Error(`the way from ${url} does not end`);
  }

  const browser: Browser = {
    visit,
    get: (url, headers = {}) => send(url, headers),
    post: (url, fields, headers) => browser.postPairs(url, Object.entries(fields), headers),
    postPairs(url, pairs, headers = {}) {
      const sent = {
        "content-type": "application/x-www-form-urlencoded",
        // The value that browsers send from a page with `Referrer-Policy: no-referrer`.
        origin: "null",
        "sec-fetch-site": "same-origin",
        ...headers,
      };
      return send(url, sent, {
        method: "POST",
        body: new URLSearchParams(pairs.map(([name, value]) => [name, value])).toString(),
      });
    },
    async follow(page) {
      const location = page.headers.get("location");
      if (location === null) return page;
      return browser.follow(await browser.get(new URL(location, page.url).href));
    },
    cookies: (origin) => Object.fromEntries(jar.get(origin) ?? []),
    setCookie(origin, name, value) {
      const stored = jar.get(origin) ?? new Map<string, string>();
      jar.set(origin, stored.set(name, value));
    },
  };
  return browser;
}

/** The target of a redirect or a refresh. */
export function nextOf(page: Page): string | undefined {
  const next = page.headers.get("location") ?? /^0;url=(.+)$/.exec(page.headers.get("refresh") ?? "")?.[1];
  return next === undefined ? undefined : new URL(next, page.url).href;
}

/** An attribute of the page's body, such as `challenge` for `data-challenge`. */
export function bodyData(page: Page, name: string): string | undefined {
  return new RegExp(`<body[^>]* data-${name}="([^"]*)"`).exec(page.text)?.[1];
}

/** The hidden fields of the form that starts a sign-in. On another page: those of its first form. */
export function hiddenFields({ text }: Page): Record<string, string> {
  const start = /<form[^>]*action="\/auth\/connect\/start"[\s\S]*?<\/form>/.exec(text);
  const [form = ""] = start ?? /<form[\s\S]*?<\/form>/.exec(text) ?? [];
  return Object.fromEntries(
    [...form.matchAll(/<input[^>]*name="([^"]*)"[^>]*value="([^"]*)"/g)].map(([, name = "", value = ""]) => [
      name,
      value,
    ]),
  );
}

/** The text of a page, without its style and its script. */
export function contentOf({ text }: Page): string {
  return text.replaceAll(/<(style|script)>[^]*?<\/\1>/g, "");
}
