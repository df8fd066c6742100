import { PREFIX } from "../blocks/block.ts";
import { onClick } from "./clicks.ts";
import { onCommand, onEvent, stopTurn } from "./events.ts";
import {
  lateWords,
  onSubmission,
  onSuggestion,
  onModalAction,
  replacing,
  requestIdOf,
} from "./modal-events.ts";
import {
  type SlackPayload,
  type SlackReply,
  installationOf,
  type SlackBody,
  field,
  text,
} from "../wire/payload.ts";
import { presserOf } from "../people/right-person.ts";
import type { SurfaceContext } from "./surface-context.ts";

type Handle = (payload: SlackPayload) => Promise<SlackReply | undefined>;

/** Slack expects a reply within three seconds. */
const REPLY_MS = 2500;
/** Delays after failures that are not reported to Slack. */
const EVENT_PAUSES_MS = [5000, 60_000];
/** `callback_id` of the message shortcut that stops a turn. */
const STOP_SHORTCUT = `${PREFIX}stop`;
const DONE: SlackReply = {};

/** Passes each payload to its handler, and always replies in time. */
export function createDispatcher(
  context: SurfaceContext,
  {
    waitUntil,
    commands,
  }: {
    readonly waitUntil?: ((work: Promise<void>) => void) | undefined;
    readonly commands?: readonly string[] | undefined;
  },
): Handle {
  const { clock, onError } = context;

  /** Resolves with the result of `work` if it is ready in time. Otherwise resolves with `late`, and `work` continues. */
  async function inTime<T>(work: Promise<T>, late: T, since = clock.now()): Promise<T> {
    let cancel: (() => void) | undefined;
    const timer = new Promise<T>((resolve) => {
      cancel = clock.after(Math.max(0, since + REPLY_MS - clock.now()), () => resolve(late));
    });
    waitUntil?.(settled(work));
    try {
      return await Promise.race([work, timer]);
    } finally {
      cancel?.();
    }
  }

  /** Slack does not repeat interactions, so a failure is reported to the log, and the reply is `otherwise`. */
  async function reported(
    work: Promise<SlackReply | void>,
    otherwise: SlackReply = DONE,
  ): Promise<SlackReply> {
    try {
      return (await work) ?? DONE;
    } catch (error) {
      onError(error);
      return otherwise;
    }
  }

  const languageOf = (body: SlackBody) =>
    context.languageOf(presserOf(body) ?? { user: "", team: "" }, installationOf(body));

  /** Slack sends an event again only if it gets no acknowledgement. After the acknowledgement, the app retries itself. */
  async function handleEvent(body: SlackBody): Promise<SlackReply> {
    let isAcknowledged = false;
    async function handleUntilDone(): Promise<void> {
      for (const pause of EVENT_PAUSES_MS) {
        try {
          return await onEvent(context, body);
        } catch (error) {
          onError(error);
          if (!isAcknowledged) throw error;
        }
        await new Promise<void>((resolve) => void clock.after(pause, resolve));
      }
      return onEvent(context, body).catch(onError);
    }
    await inTime(handleUntilDone(), undefined);
    isAcknowledged = true;
    return DONE;
  }

  async function submit(body: SlackBody, elicitationId: string): Promise<SlackReply> {
    const since = clock.now();
    const language = await languageOf(body);
    const { words } = language;
    const { waiting, taken } = lateWords(body, language);
    const late = replacing(waiting, language);
    const work = reported(onSubmission(context, body, elicitationId), replacing(words.failed, language));
    const reply = await inTime(work, late, since);
    if (reply === late) {
      const shown = reported(showLate());
      waitUntil?.(settled(shown));
    }
    return reply;

    /** Replaces the modal, which by now shows that the answer is being checked. */
    async function showLate(): Promise<void> {
      const result = await work;
      const isSent = Object.keys(result).length === 0;
      const shown = isSent
        ? replacing(taken, language)
        : result["response_action"] === "update"
          ? result
          : replacing(words.failed, language);
      const client = await context.clientOf(installationOf(body));
      const viewId = field(body["view"], "id");
      await client.call("views.update", { view_id: viewId, view: shown["view"] });
    }
  }

  async function handleInteraction(body: SlackBody): Promise<SlackReply | undefined> {
    const elicitationId = requestIdOf(body);
    if (elicitationId !== undefined) return handleModal(body, elicitationId);
    if (body["type"] === "block_actions" && hasOwnAction(body))
      return inTime(reported(onClick(context, body)), DONE);
    if (body["type"] === "message_action" && body["callback_id"] === STOP_SHORTCUT)
      return inTime(reported(stopByShortcut(context, body)), DONE);
    return undefined;
  }

  async function handleModal(body: SlackBody, elicitationId: string): Promise<SlackReply> {
    switch (body["type"]) {
      case "block_actions":
        return inTime(reported(onModalAction(context, body, elicitationId)), DONE);
      case "block_suggestion": {
        const none = { options: [] };
        return inTime(reported(onSuggestion(context, body, elicitationId), none), none);
      }
      case "view_submission":
        return submit(body, elicitationId);
      default:
        return DONE;
    }
  }

  return async (payload) => {
    switch (payload.kind) {
      case "challenge":
        return { challenge: payload.challenge };
      case "event":
        return handleEvent(payload.body);
      case "interaction":
        return handleInteraction(payload.body);
      default:
        if (commands?.includes(text(payload.body["command"]) ?? "") === false) return undefined;
        return inTime(reported(onCommand(context, payload.body)), DONE);
    }
  };
}

async function settled(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch {
    // The handler reports the error.
  }
}

function hasOwnAction({ actions }: SlackBody): boolean {
  return (
    Array.isArray(actions) &&
    actions.some((action: unknown) => field(action, "action_id")?.startsWith(PREFIX))
  );
}

async function stopByShortcut(context: SurfaceContext, body: SlackBody): Promise<void> {
  const person = presserOf(body);
  const channel = field(body["channel"], "id");
  const { message } = body;
  const thread = field(message, "thread_ts") ?? field(message, "ts");
  if (person === undefined || channel === undefined || thread === undefined) return;
  const installed = installationOf(body);
  // In an org-wide installation, the payload has no workspace, but the message has one.
  const installation = { ...installed, team: installed.team ?? field(message, "team") };
  await stopTurn(context, { installation, channel, thread, person, isDirect: false, bot: undefined });
}
