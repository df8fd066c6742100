import type { Credential } from "../ports/credentials.ts";
import type { Clock } from "../../base/clock.ts";
import { isSendable } from "../ports/credentials.ts";
import { reasonOf } from "../../base/foreign-error.ts";
import { within } from "../../base/deadlines.ts";
import type { ProviderBase } from "../ports/connector.ts";
import { KitError } from "../../contract/kit-error.ts";

/** A service that users connect with an API key, which they type on the page. */
export interface ApiKeyProvider extends ProviderBase {
  apiKey: {
    /**
     * Tests a key with a call of the service, before the key is stored. Resolves with `true` or the name of the key's
     * account for a valid key, and with `false` for a refused one. If it rejects or takes more than ten seconds, the
     * result is unknown, and the user is asked to try again.
     */
    check: (key: string, options: { signal: AbortSignal }) => Promise<boolean | { account: string }>;
    /** The page where users find their key. It must be https. */
    keyUrl?: string | undefined;
    /** The format of keys of this service. The page describes it, and sends no other input. */
    format?: { readonly prefix: string; readonly length?: number | undefined } | undefined;
  };
}

/** The result of checking a key: a credential, or the reason for a refusal. */
export type CheckedKey =
  | { ok: true; credential: Credential }
  | { ok: false; reason: "format" | "refused" | "unchecked" };

export const MAX_KEY_LENGTH = 2048;
const CHECK_MS = 10_000;
const MAX_ACCOUNT_LENGTH = 200;

/** Tests a key that a user has typed. Neither the key nor texts of the check are passed to `onError`. */
export async function checkKey(
  typed: string,
  { service, apiKey }: ApiKeyProvider,
  { clock, onError }: { clock: Clock; onError: (error: unknown) => void },
): Promise<CheckedKey> {
  // Usually copied with a line break or a space.
  const key = typed.trim();
  if (key.length > MAX_KEY_LENGTH || !isSendable(key)) return { ok: false, reason: "refused" };
  if (!hasFormat(key, apiKey.format)) return { ok: false, reason: "format" };
  try {
    const found = await within(clock, CHECK_MS, (signal) =>
      // A check that ignores its signal must not keep the user waiting either.
      Promise.race([apiKey.check(key, { signal }), whenAborted(signal)]),
    );
    if (found === false) return { ok: false, reason: "refused" };
    const account = found === true ? "" : found.account.slice(0, MAX_ACCOUNT_LENGTH);
    return {
      ok: true,
      credential: { type: "api-key", accessToken: key, ...(account !== "" && { account }) },
    };
  } catch (error) {
    const reason = reasonOf(error).replaceAll(key, "[key]");
    onError(new KitError(`elicit-kit: the check of an API key for ${service} failed: ${reason}`));
    return { ok: false, reason: "unchecked" };
  }
}

function hasFormat(key: string, format: ApiKeyProvider["apiKey"]["format"]): boolean {
  if (format === undefined) return true;
  const { prefix, length = key.length } = format;
  return key.startsWith(prefix) && key.length === length;
}

/** The same pattern for the page's field, where spaces around the key are allowed. */
export function patternOf(format: ApiKeyProvider["apiKey"]["format"]): string | undefined {
  if (format === undefined) return undefined;
  const { prefix, length } = format;
  const rest = length === undefined ? "*" : `{${Math.max(0, length - prefix.length)}}`;
  return `\\s*${prefix.replaceAll(/[\^$.*+?()[\]{}|/]/g, "\\$&")}\\S${rest}\\s*`;
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** Throws for a link that users should not be sent to. */
export function checkKeyUrl({ service, apiKey: { keyUrl } }: ApiKeyProvider): void {
  if (keyUrl === undefined || (URL.canParse(keyUrl) && new URL(keyUrl).protocol === "https:")) return;
  throw new KitError(`elicit-kit: the keyUrl of ${service} must be an https URL. This is not: ${keyUrl}`);
}
