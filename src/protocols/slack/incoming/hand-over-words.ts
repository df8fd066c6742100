import type { SurfaceTurn } from "../../../runtime/internal.ts";
import { inMinutes } from "../../../words/in-minutes.ts";
import type { SlackLanguage } from "../blocks/english.ts";
import { escapeMrkdwn } from "../blocks/text.ts";

type HandOverResult = Awaited<ReturnType<SurfaceTurn["assign" | "remind"]>>;

/** What the user reads after a press about who decides. `undefined`: the message of the request says it. */
export function handOverWords(
  result: HandOverResult,
  { catalogue, words }: SlackLanguage,
): string | undefined {
  const { others } = catalogue;
  switch (result.kind) {
    case "assigned":
      return undefined;
    case "reminded":
      return others.reminded;
    case "too-soon":
      return others.tooSoon(inMinutes(result.retryAfterMs, catalogue.locale));
    case "limited":
      return words.comeBack(result.retryAfter);
    case "forbidden":
      return catalogue.didNotWork;
    default:
      return words.ended;
  }
}

/** For a user who presses a button of a question that waits for somebody else. */
export function waitsForWords(name: string, { catalogue }: SlackLanguage): string {
  return catalogue.others.waitsFor(escapeMrkdwn(name));
}
