/** 128 bits from the platform's CSPRNG as 22 characters of base64url: unguessable, URL-safe, used once. */
export function newId(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(16)));
}

export function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
