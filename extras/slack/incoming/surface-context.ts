import type { Clock } from "../../../src/base/clock.ts";
import type { Runtime, User } from "../../../src/runtime/index.ts";
import type { Surface, SurfaceTurn } from "../../../src/runtime/internal.ts";
import type { TypedValues } from "../answers/drafts.ts";
import type { LanguageOf } from "../people/person-language.ts";
import { fromRef } from "../people/place.ts";
import type { SlackInstallation } from "../wire/payload.ts";
import type { SlackPerson } from "../people/right-person.ts";
import { SlackApiError, type SlackClient } from "../wire/web-client.ts";

/** The shared state of the surface's parts. */
export interface SurfaceContext {
  readonly kind: string;
  readonly surface: Surface;
  readonly runtime: Pick<Runtime, "elicitations">;
  readonly clock: Clock;
  readonly typed: TypedValues;
  readonly linkUrl: string | undefined;
  clientOf(installation: SlackInstallation): Promise<SlackClient>;
  userOf(person: SlackPerson): Promise<User | undefined>;
  readonly languageOf: LanguageOf;
  onError(error: unknown): void;
}

/** The user who was asked, and the turn that asks. They come from the record and the turn, never from the payload. */
export interface Asked {
  readonly turn: SurfaceTurn;
  readonly person: SlackPerson;
}

export async function askedOf(context: SurfaceContext, elicitationId: string): Promise<Asked | undefined> {
  const record = await context.runtime.elicitations.get(elicitationId);
  const turn = record && (await context.surface.find(record.user, { elicitationId }));
  const place = turn && fromRef(turn.ref);
  return turn === undefined || place === undefined ? undefined : { turn, person: place.person };
}

/**
 * Sends an ephemeral message to one user in a thread. In direct messages it is an ordinary message, because Slack drops
 * ephemeral messages in assistant threads without an error.
 */
export async function whisper(
  context: SurfaceContext,
  client: SlackClient,
  where: { readonly channel: string; readonly thread?: string | undefined; readonly user: string },
  text: string,
): Promise<void> {
  const { channel, thread, user } = where;
  const words = { channel, text, thread_ts: thread, parse: "none", link_names: false };
  if (channel.startsWith("D")) {
    await client.call("chat.postMessage", words).catch(context.onError);
    return;
  }
  const args = { ...words, user };
  await client.call("chat.postEphemeral", args).catch((error: unknown) => {
    // The user is not in the channel, for example if the message was forwarded.
    if (error instanceof SlackApiError && error.code === "user_not_in_channel") return;
    context.onError(error);
  });
}
