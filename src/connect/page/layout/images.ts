/** Images that the page serves itself, so that its policy needs no `data:` and no other host. */
import { KitError } from "../../../contract/kit-error.ts";
import { html, raw } from "hono/html";
import type { Html } from "./html.ts";

export interface PageImage {
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

export interface PageImages {
  /**
   * Adds an image and returns its path. Throws if it is too large, or not an image type that browsers show.
   *
   * @param option the option that contains it, for the error message
   */
  add(dataUrl: string, option: string): string;
  get(path: string): PageImage | undefined;
  readonly isEmpty: boolean;
}

const DATA_URL = /^data:(image\/(?:png|jpeg|gif|webp|avif|svg\+xml))(?:;charset=[\w-]+)?(;base64)?,(.+)$/is;
const MAX_BYTES = 64 * 1024;

/** `folder` is the path under which the images are served. */
export function createPageImages(folder = "/auth/images/"): PageImages {
  const images = new Map<string, PageImage>();
  return {
    add(dataUrl, option) {
      const image = parseImage(dataUrl);
      if (image === undefined) {
        throw new KitError(
          `elicit-kit: ${option} must be a data: URL of a PNG, JPEG, GIF, WebP, AVIF or SVG image, but it begins with: ${JSON.stringify(dataUrl.slice(0, 40))}`,
        );
      }
      if (image.body.length > MAX_BYTES) {
        throw new KitError(
          `elicit-kit: ${option} may have at most ${MAX_BYTES / 1024} KiB, but it has ${Math.ceil(image.body.length / 1024)} KiB. Make the image smaller.`,
        );
      }
      const path = `${folder}${images.size + 1}`;
      images.set(path, image);
      return path;
    },
    get: (path) => images.get(path),
    get isEmpty() {
      return images.size === 0;
    },
  };
}

function parseImage(dataUrl: string): PageImage | undefined {
  const [, type = "", base64, data = ""] = DATA_URL.exec(dataUrl) ?? [];
  if (type === "") return undefined;
  try {
    const text = base64 === undefined ? decodeURIComponent(data) : undefined;
    const body =
      text === undefined
        ? Uint8Array.from(atob(data), (character) => character.charCodeAt(0))
        : new TextEncoder().encode(text);
    return { type: type.toLowerCase(), body };
  } catch {
    return undefined;
  }
}

const SHAPES = {
  agent: '<path d="M5.5 4.5v7"/><path d="M8.75 4.75L12.5 8l-3.75 3.25z"/>',
  alert:
    '<path d="M5.6 2.25h4.8l3.35 3.35v4.8l-3.35 3.35H5.6L2.25 10.4V5.6z"/><path d="M8 5.25v3.25M8 10.7v.05"/>',
  check: '<path d="M3.5 8.5l3 3 6-7"/>',
  clock: '<circle cx="8" cy="8" r="5.75"/><path d="M8 5v3.2l2 1.3"/>',
  close: '<path d="M4.5 4.5l7 7M11.5 4.5l-7 7"/>',
  eye: '<path d="M1.75 8S4 3.9 8 3.9 14.25 8 14.25 8 12 12.1 8 12.1 1.75 8 1.75 8z"/><circle cx="8" cy="8" r="1.9"/>',
  forward: '<path d="M6.25 4l4 4-4 4"/>',
  link: '<path d="M6.75 9.25l2.5-2.5M7.5 4.75l1-1a2.65 2.65 0 0 1 3.75 3.75l-1 1M8.5 11.25l-1 1A2.65 2.65 0 0 1 3.75 8.5l1-1"/>',
  lock: '<rect x="3.25" y="7.25" width="9.5" height="6.5" rx="1.75"/><path d="M5.25 7.25V5a2.75 2.75 0 0 1 5.5 0v2.25"/>',
  minus: '<path d="M4 8h8"/>',
  pause: '<path d="M5.75 3.75v8.5M10.25 3.75v8.5"/>',
  person: '<circle cx="8" cy="5.4" r="2.65"/><path d="M3 13.5c.6-2.5 2.6-3.75 5-3.75s4.4 1.25 5 3.75"/>',
  question:
    '<circle cx="8" cy="8" r="5.75"/><path d="M6.4 6.3a1.65 1.65 0 1 1 2.35 1.5c-.5.25-.75.6-.75 1.2M8 11.15v.05"/>',
  star: '<path d="M8 1.9l1.85 3.9 4.3.55-3.15 2.95.8 4.25L8 11.5l-3.8 2.05.8-4.25-3.15-2.95 4.3-.55z" fill="currentColor"/>',
  warning: '<path d="M8 2.5l6 10.75H2z"/><path d="M8 6.5v3.25M8 11.4v.05"/>',
} as const;

export type IconName = keyof typeof SHAPES;

/**
 * An inline image, because the policy of the page allows no external images. It always stands beside a text, so it has no
 * name.
 */
export function icon(name: IconName): Html {
  const flip = name === "forward" ? html` data-flip` : "";
  return html`<svg class="icon" data-icon="${name}" viewBox="0 0 16 16" aria-hidden="true" ${flip}>
    ${raw(SHAPES[name])}
  </svg>`;
}
