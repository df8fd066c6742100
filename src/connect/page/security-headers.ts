/** The headers of every page: `policy` says what it may load. Frames, caches and the referrer are disabled. */
export function securityHeaders(policy: string): Readonly<Record<string, string>> {
  return {
    "content-security-policy": policy,
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  };
}

/** The source expression of a policy for an allowed inline text (CSP level 3, 2.3.1). */
export async function digestSource(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`;
}
