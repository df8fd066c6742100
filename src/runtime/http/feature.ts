import type { Hono } from "hono/tiny";
import type { WriteLimit } from "../../base/write-limit.ts";
import type { ElicitationRequest } from "../../contract/contract.ts";
import type { Clock } from "../../base/clock.ts";
import type { ElicitationRecords } from "../ports/index.ts";
import type { Assignments } from "../request/features/who-decides.ts";
import type { Remembering } from "../request/features/remembering.ts";
import type { Observer } from "../request/features/telemetry.ts";
import type { RouteContext } from "./route-context.ts";

/** A feature with routes of its own. The runtime works without it. */
export interface RouteFeature {
  addRoutes(app: Hono, context: RouteContext): void;
}

/** Fills in forms from sentences of their users. */
export interface SentenceFeature extends RouteFeature {
  /** Whether a sentence may fill in the request. */
  takes(request: ElicitationRequest): boolean;
}

/** Uses answers again. */
export interface RememberFeature extends Remembering, RouteFeature {}

/** Lets other users and groups decide. */
export interface AssignFeature extends Assignments, RouteFeature {}

/** What the runtime gives to a feature that reads or stores records. */
export interface StoreParts {
  readonly records: ElicitationRecords;
  /** Whether the records are in the memory of this process. */
  readonly isInMemory: boolean;
  readonly assignments: Assignments;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** What the runtime gives to a feature. */
export interface FeatureParts {
  readonly writeLimit: WriteLimit | undefined;
  readonly observer: Pick<Observer, "limited"> | undefined;
  readonly onError: (error: unknown) => void;
}
