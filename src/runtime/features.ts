import { type AssignOptions, assignFor } from "../features/assign/assign.ts";
import { type NoticeOptions, noticesFor } from "../features/notices/notices.ts";
import { inboxFor } from "../features/inbox/inbox.ts";
import { type RememberPorts, rememberFor } from "../features/remember/remember.ts";
import { type ProposalOptions, proposalsFor } from "../features/proposals/proposals.ts";
import { type ReceiptOptions, receiptsFor } from "../features/receipts/receipts.ts";
import { type TelemetryOptions, telemetryFor } from "../features/telemetry/telemetry.ts";
import type {
  AssignFeature,
  FeatureParts,
  RememberFeature,
  RouteFeature,
  SentenceFeature,
  StoreParts,
} from "./http/feature.ts";
import type { InboxFeature } from "./http/route-context.ts";
import type { Observer, ObserverParts } from "./request/features/telemetry.ts";
import type { AbsenceFeature } from "./request/features/absence.ts";

/** The options of the features: a folder of `src/features` each. */
export interface FeatureOptions
  extends AssignOptions, NoticeOptions, ProposalOptions, ReceiptOptions, TelemetryOptions {}

/** The ports of the features. */
export interface FeaturePorts extends RememberPorts {}

/** The features that take part in a runtime. Without its lines here, the folder of a feature can be deleted. */
export interface Features {
  readonly telemetry?: (options: FeatureOptions, parts: ObserverParts) => Observer | undefined;
  readonly assign?: (
    options: FeatureOptions,
    shows: (surface: string) => boolean,
  ) => AssignFeature | undefined;
  readonly absence?: (options: FeatureOptions) => AbsenceFeature | undefined;
  readonly sentences?: (options: FeatureOptions, parts: FeatureParts) => SentenceFeature | undefined;
  readonly inbox?: (parts: StoreParts) => InboxFeature | undefined;
  readonly remember?: (ports: FeaturePorts, parts: StoreParts) => RememberFeature | undefined;
  readonly receipts?: (options: FeatureOptions, parts: FeatureParts) => RouteFeature | undefined;
}

export const features: Features = {
  telemetry: telemetryFor,
  assign: assignFor,
  absence: noticesFor,
  sentences: proposalsFor,
  inbox: inboxFor,
  remember: rememberFor,
  receipts: receiptsFor,
};
