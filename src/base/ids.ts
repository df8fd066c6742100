/** 128 bits from the platform's CSPRNG as 22 characters of base64url: unguessable, unique and URL-safe. */
export function newId(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(16)));
}

/** 256 random bits as 43 characters of base64url: a key, or the secret of a browser. */
export function newSecret(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

/** Whether `value` can be the id of a request: URL-safe, and not a path segment such as `..` that URL parsers resolve. */
export function isElicitationId(value: string | undefined): value is string {
  return value !== undefined && /^(?!\.+$)[\w.~-]{1,128}$/.test(value);
}

/** An id in the format of `newId` that is the same for the same parts. It is as hard to guess as its parts together. */
export async function derivedId(...parts: readonly (string | number)[]): Promise<string> {
  const digest = await sha256(JSON.stringify(parts));
  return base64url(digest.subarray(0, 16));
}

/** The longest id that a client may choose. */
export const MAX_ID_LENGTH = 256;

export function isId(value: unknown): value is string {
  return typeof value === "string" && value.length > 0 && value.length <= MAX_ID_LENGTH;
}

export async function sha256(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

export function base64url(bytes: Uint8Array): string {
  const binary: string[] = [];
  // In slices, because a function call cannot take 100,000 arguments.
  for (let at = 0; at < bytes.length; at += 4096) {
    binary.push(String.fromCharCode(...bytes.subarray(at, at + 4096)));
  }
  return btoa(binary.join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Reads base64 or base64url, padded or not. `undefined` for other text. */
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
