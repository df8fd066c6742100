import { sleep } from "../../base/deadlines.ts";
import { isStoreAway } from "../../base/foreign-error.ts";
import type { UrlQuestion, User, Telemetry } from "../../runtime/index.ts";
import { type SignInTarget, pageRefusedText } from "../../runtime/internal.ts";
import { type Credential, type CredentialStore, isSameCredential } from "../../connect/ports/credentials.ts";
import type { Clock } from "../../base/clock.ts";
import { type BearerChallenge, scopesOf } from "../../connect/oauth/challenge.ts";
import type { GatedCall, GatedServer } from "../mcp/mcp-server.ts";
import { type CredentialMessage, UNREADABLE, failed, messageFor, refusedByPolicy } from "./gate-texts.ts";
import { ToolFailure } from "../../base/tool-failure.ts";
import { callOf } from "../recorded-tool.ts";
import type { CredentialInUse } from "./credential-in-use.ts";
import { type Attempt, createAttempt } from "./use-credential.ts";

const LOOK_UPS = 3;
const LOOK_UP_INTERVAL_MS = 500;
/** How often one call may request more scopes. */
const MAX_STEP_UPS = 2;

export interface GateOptions {
  credentials: CredentialStore;
  /** URL of the hosted page, without its query. */
  connectUrl: string;
  /** Shown to the user as the requester. */
  requester: { name: string };
  credentialMessage?: CredentialMessage | undefined;
  telemetry?: Pick<Telemetry, "meter"> | undefined;
  clock: Clock;
  onError: (error: unknown) => void;
}

/** A credential, or a text for the model instead. */
type Connection = { ok: true; credential: Credential; isObtained?: boolean } | { ok: false; text: string };

/** The value of the work, or a text for the model if it was not done. */
export type GatedResult<T> = { ok: true; value: T } | { ok: false; text: string };

/** Gets the credential for a tool that acts for a user, and asks for it if necessary (contract, section 5). */
export interface CredentialGate {
  /** Reads the user's stored credential for this server, if there is one. */
  stored(server: GatedServer, user: User | undefined): Promise<Credential | undefined>;
  /** Deletes the user's credential for this server, and revokes it where the store can. */
  forget(call: GatedCall): Promise<GatedResult<undefined>>;
  /**
   * Runs `work` with the user's credential. If the server refuses the credential, asks the user to connect or to allow
   * more scopes, and runs `work` again. Rejects if this chat cannot ask.
   */
  run<T>(
    call: GatedCall,
    work: (credential: CredentialInUse | undefined) => Promise<T>,
  ): Promise<GatedResult<T>>;
  readonly attempt: Attempt;
}

export function createCredentialGate({
  credentials,
  connectUrl,
  requester,
  credentialMessage,
  telemetry,
  clock,
  onError,
}: GateOptions): CredentialGate {
  const attempt = createAttempt({ credentials, stored, telemetry, clock, onError });

  async function stored(server: GatedServer, user: User | undefined): Promise<Credential | undefined> {
    const found = user === undefined ? undefined : await credentials.get(server.name, user.id);
    if (found !== undefined && (found.type === "api-key") !== (server.apiKey !== undefined)) return undefined;
    // If the URL of a server has changed, the server may belong to another party.
    return found?.binding === undefined || found.binding.serverUrl === server.url ? found : undefined;
  }

  /** Reads the stored credential, or explains why it cannot be read. */
  async function readStored(
    call: GatedCall,
  ): Promise<{ ok: true; credential: Credential | undefined } | { ok: false; text: string }> {
    try {
      return { ok: true, credential: await stored(call.server, call.turn.user) };
    } catch (error) {
      onError(error);
      // A durable turn runs again when the store is back.
      if (isStoreAway(error)) throw error;
      // The store is down but may contain a valid credential, so do not ask the user to connect again.
      return failed(call, UNREADABLE);
    }
  }

  async function connect(
    call: GatedCall,
    {
      asking,
      challenge,
      canObtain = true,
    }: { asking: string; challenge?: BearerChallenge | undefined; canObtain?: boolean },
  ): Promise<Connection> {
    const found = await readStored(call);
    if (!found.ok) return found;
    const { credential } = found;
    const mustAsk = await wasMissing(call, { asking, isMissing: credential === undefined });
    return credential === undefined || mustAsk
      ? ask(call, { asking, challenge, scopes: challenge?.scopes ?? call.scopes ?? [], canObtain })
      : { ok: true, credential };
  }

  /** Tries to get a credential without the user. `undefined`: ask them. */
  async function obtain(call: GatedCall, target: SignInTarget): Promise<Connection | undefined> {
    const { server, turn } = call;
    if (credentials.obtain === undefined || turn.user === undefined) return undefined;
    // An API key is typed in, and only the user knows which other account they want.
    if (server.apiKey !== undefined || target.another === true) return undefined;
    try {
      const obtained = await credentials.obtain(server.name, turn.user.id, target);
      if (obtained === undefined) return undefined;
      if ("refusedBy" in obtained) return refusedByPolicy(call, obtained.refusedBy);
      return { ok: true, credential: obtained, isObtained: true };
    } catch (error) {
      onError(error);
      return undefined;
    }
  }

  /** `insufficient`: the credential that lacks scopes. It stays stored until the user has allowed more. */
  async function ask(
    call: GatedCall,
    {
      asking,
      challenge,
      scopes,
      insufficient,
      canObtain,
    }: {
      /** Identifies the question, which differs for each card of a call. */
      asking: string;
      challenge: BearerChallenge | undefined;
      scopes: readonly string[];
      insufficient?: Credential | undefined;
      /** Whether to try without the user first. */
      canObtain: boolean;
    },
  ): Promise<Connection> {
    const { turn, server, toolName, ownName, toolCallId, part = "", account, signal } = call;
    const isNew = account === "another" && insufficient === undefined;
    const target = signInOf(call, challenge, scopes);
    const obtained = canObtain ? await obtain(call, target) : undefined;
    if (obtained !== undefined) return obtained;
    const { service } = server;
    const purpose = "connect";
    const question: UrlQuestion = {
      mode: "url",
      message: messageFor(call, insufficient && missingScopes(insufficient, challenge), {
        credentialMessage,
        onError,
      }),
      // The user types a key on the page, so the metadata of the server is not needed.
      ...(server.apiKey === undefined && { signIn: target }),
      url: (elicitationId) => {
        const url = new URL(connectUrl);
        url.searchParams.set("elicitationId", elicitationId);
        return url.href;
      },
      tool: { id: server.name, name: toolName, ownName, ...(isNew && { isNew }) },
      toolCallId,
      requester,
      service: { name: service, iconDataUrl: server.iconDataUrl },
      purpose,
      // `oauth` means an access token from OAuth, directly or through Nango.
      context: {
        trigger: "credential_required",
        credentialType: server.apiKey === undefined ? "oauth" : "api-key",
        toolName,
        service,
      },
      signal,
    };
    // A call of its own, not a step of the tool's call: a turn that runs again after the user has connected does not ask,
    // and its replay would miss that step.
    const recorded = { id: `${callOf(turn, toolName, toolCallId).id}/${part}${asking}`, name: "sign-in" };
    const result = await turn.runner.tool(recorded, () => turn.ask(question));
    if (result.outcome !== "accepted") {
      call.onRefused?.();
      const text = pageRefusedText(result, { tool: toolName, service, purpose });
      // The user has decided nothing: the tool has failed.
      if (result.outcome === "unsupported") throw new ToolFailure(text);
      return { ok: false, text };
    }
    // If another service writes the credential, it may be stored shortly after the request was completed.
    for (let lookUp = 1; lookUp <= LOOK_UPS; lookUp += 1) {
      const found = await readStored(call);
      if (!found.ok) return found;
      const { credential } = found;
      if (credential !== undefined && (insufficient === undefined || isChanged(credential, insufficient))) {
        return { ok: true, credential };
      }
      if (lookUp < LOOK_UPS) await sleep(clock, LOOK_UP_INTERVAL_MS);
    }
    return failed(call, "no credential was stored");
  }

  async function run<T>(
    call: GatedCall,
    work: (credential: CredentialInUse | undefined) => Promise<T>,
  ): Promise<GatedResult<T>> {
    const { server, turn } = call;
    const owner = { server, user: turn.user };
    const { signIn = "first" } = server;
    const start = signIn === "first" ? await connect(call, { asking: "first" }) : await readStored(call);
    if (!start.ok) return start;
    let { credential } = start;
    // Once only: if the server refuses what was obtained without the user, the user is asked.
    let canObtain = !("isObtained" in start);
    let signInsLeft = credential === undefined ? 2 : 1;
    let stepUpsLeft = MAX_STEP_UPS;
    let asked = scopesOf(credential?.scope);
    for (;;) {
      const used = await attempt(owner, credential, work);
      if (used.ok) return used;
      const { challenge, needsMoreScopes } = used.refusal;
      const isStepUp = needsMoreScopes && credential !== undefined;
      const scopes = isStepUp
        ? [...new Set([...asked, ...scopesOf(credential?.scope), ...(challenge?.scopes ?? [])])]
        : (challenge?.scopes ?? []);
      if (isStepUp) {
        stepUpsLeft -= 1;
        // The user has already been asked for these scopes, or the server does not name the missing ones.
        if (stepUpsLeft < 0 || scopes.length === asked.length) {
          return failed(call, `${server.service} asks for access that it was not given`);
        }
      } else {
        signInsLeft -= 1;
        if (signInsLeft < 0) return failed(call, `${server.service} refused the new credential`);
      }
      const connection = isStepUp
        ? await ask(call, {
            asking: `scopes ${scopes.join(" ")}`,
            challenge,
            scopes,
            // Not the stored credential: on a card from an earlier run of the turn, the user may be granting more
            // scopes right now.
            insufficient: used.refused,
            canObtain,
          })
        : await connect(call, { asking: `sign-in ${signInsLeft}`, challenge, canObtain });
      if (!connection.ok) return connection;
      canObtain &&= connection.isObtained !== true;
      ({ credential } = connection);
      asked = scopes;
    }
  }

  async function forget(call: GatedCall): Promise<GatedResult<undefined>> {
    const { name } = call.server;
    const { user } = call.turn;
    if (user === undefined) return { ok: true, value: undefined };
    try {
      const revoked = await credentials.revoke?.(name, user.id);
      if (revoked === undefined) await credentials.delete(name, user.id);
      if (revoked?.isRevoked === false) onError(revoked.error);
      return { ok: true, value: undefined };
    } catch (error) {
      onError(error);
      return failed(call, "the account cannot be removed at the moment");
    }
  }

  return { stored, attempt, run, forget };
}

/**
 * Whether another account was missing when the call first needed it. If it was, a turn that runs again reads how its own
 * request has ended, because another chat may have connected an account in the same place since.
 */
async function wasMissing(
  { turn, toolName, toolCallId, part = "", account, isOwnChoice = false }: GatedCall,
  { asking, isMissing }: { asking: string; isMissing: boolean },
): Promise<boolean> {
  if (account !== "another" || !isOwnChoice) return isMissing;
  const id = `${callOf(turn, toolName, toolCallId).id}/${part}${asking}/missing`;
  return turn.runner.tool({ id, name: "sign-in" }, async () => isMissing);
}

/** Whether the user has connected again. Some providers add the scopes to the token that the user has. */
function isChanged(stored: Credential, insufficient: Credential): boolean {
  return (
    !isSameCredential(stored, insufficient) ||
    stored.scope !== insufficient.scope ||
    stored.connectedAt !== insufficient.connectedAt
  );
}

/** The scopes that the refused call needs and the credential does not have. */
function missingScopes({ scope }: Credential, challenge: BearerChallenge | undefined): readonly string[] {
  const granted = new Set(scopesOf(scope));
  return (challenge?.scopes ?? []).filter((needed) => !granted.has(needed));
}

/** The sign-in information that the server provides. */
function signInOf(
  { server: { url, service }, account = "only" }: GatedCall,
  challenge: BearerChallenge | undefined,
  scopes: readonly string[],
): SignInTarget {
  return {
    url,
    service,
    ...(challenge?.resourceMetadata !== undefined && { resourceMetadata: challenge.resourceMetadata }),
    ...(scopes.length > 0 && { scope: scopes.join(" ") }),
    ...(account !== "only" && { another: true }),
  };
}
