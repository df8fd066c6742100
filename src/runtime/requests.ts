import { createAnswerDigest } from "../base/answer-digest.ts";
import type { Clock } from "../base/clock.ts";
import { isSecureOrigin } from "../base/urls.ts";
import { createUserSeals } from "../base/user-seal.ts";
import { KitError } from "../contract/kit-error.ts";
import type { RouteFeature } from "./http/feature.ts";
import type { InboxFeature } from "./http/route-context.ts";
import type { ElicitationRecords, TurnRunner, Waiter } from "./ports/index.ts";
import type { AbsenceFeature } from "./request/features/absence.ts";
import { OWN_QUESTIONS } from "./request/features/who-decides.ts";
import { createElicitationService } from "./request/elicitation-service.ts";
import type { ElicitationService } from "./request/elicitations.ts";
import { createExpiry } from "./request/expiry.ts";
import { createMemoryRecords } from "./request/memory-records.ts";
import { createMemoryWaiter } from "./request/memory-waiter.ts";
import { createOpenLimit } from "./request/open-limit.ts";
import { type RecordNotifier, createRecordNotifier } from "./request/record-notifier.ts";
import { type RecordWriter, createRecordWriter } from "./request/record-writer.ts";
import type { Observer } from "./request/features/telemetry.ts";
import { type OutsideAsking, createOutsideAsking } from "./ask/outside-asking.ts";
import type { AskingOptions } from "./ask/turn-questions.ts";
import type { Features } from "./features.ts";
import type { RuntimeOptions } from "./runtime-options.ts";

/** The parts of a runtime that ask users and take their answers. They know neither turns nor routes. */
interface Requests {
  readonly records: ElicitationRecords;
  readonly waiter: Waiter;
  readonly notifier: RecordNotifier;
  readonly writer: RecordWriter;
  readonly elicitations: ElicitationService;
  readonly inbox: InboxFeature | undefined;
  /** The features with routes of their own. */
  readonly routes: readonly (RouteFeature | undefined)[];
  readonly absence: ReturnType<AbsenceFeature["watch"]> | undefined;
  readonly asking: AskingOptions;
  /** For questions of code outside of this runtime's turns. */
  readonly outside: OutsideAsking;
}

export function createRequests(
  options: RuntimeOptions,
  {
    features,
    clock,
    observer,
    wake,
    showsAssignee,
    takesSentence,
    onError,
  }: {
    features: Features;
    clock: Clock;
    observer: Observer | undefined;
    wake: TurnRunner["wake"];
    showsAssignee: (surface: string) => boolean;
    takesSentence: AskingOptions["takesSentence"];
    onError: (error: unknown) => void;
  },
): Requests {
  const hostedPageOrigin = options.hostedPage?.origin;
  if (hostedPageOrigin !== undefined && !isSecureOrigin(hostedPageOrigin)) {
    throw new KitError(
      `elicit-kit: hostedPage.origin must be an https origin without a path, or http on a loopback address, but it is: ${hostedPageOrigin}`,
    );
  }
  const { ports = {}, timeToAnswer = {}, limits = {} } = options;
  const records = ports.records ?? createMemoryRecords({ clock });
  const waiter = ports.waiter ?? createMemoryWaiter({ clock });
  const notifier = createRecordNotifier({ records, waiter, observer, wake, onError });
  const writer = createRecordWriter({ records, notifier, clock });
  const digest = createAnswerDigest(options.answerKey);
  const assign = features.assign?.(options, showsAssignee);
  const assignments = assign ?? OWN_QUESTIONS;
  const parts = { records, isInMemory: ports.records === undefined, assignments, clock, onError };
  const remember = features.remember?.(ports, parts);
  const absence = features.absence?.(options);
  const elicitations = createElicitationService({
    assignments,
    absence,
    writer,
    notifier,
    records,
    clock,
    digest,
    remembering: remember,
    onError,
    users: createUserSeals(options.answerKey),
    isCompleted: options.isCompleted ?? (() => false),
    hostedPageOrigin,
    observer,
    chatOrigins: typeof options.allowedOrigins === "function" ? [] : options.allowedOrigins,
  });
  const asking: AskingOptions = {
    writer,
    notifier,
    records,
    assignments,
    waiter,
    watchExpiry: createExpiry({ writer, records, notifier, clock, onError }),
    clock,
    expiresInMs: timeToAnswer.expiresInMs ?? 600_000,
    maxExpiresInMs: timeToAnswer.maxExpiresInMs,
    openLimit: createOpenLimit(limits.open ?? {}, records, () => observer?.limited("open")),
    observer,
    hostedPageOrigin,
    takesSentence,
    remembering: remember,
    digest,
    noticeAt: absence?.noticeAt,
    beforeAsk: options.beforeAsk,
    onError,
  };
  return {
    records,
    waiter,
    notifier,
    writer,
    elicitations,
    inbox: features.inbox?.(parts),
    routes: [assign, remember],
    absence: absence?.watch({ records, elicitations, assignments, clock, observer, onError }),
    asking,
    outside: createOutsideAsking(asking),
  };
}
