/** Images that the page serves itself, so that its policy needs no `data:` and no other host. */
import { KitError } from "../../../contract/kit-error.ts";
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
