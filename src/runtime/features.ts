import { type NoticeOptions, noticesFor } from "../features/notices/notices.ts";
import type { AbsenceFeature } from "./request/absence.ts";

/** The options of the features: a folder of `src/features` each. */
export interface FeatureOptions extends NoticeOptions {}

/** The features that take part in a runtime. Without its lines here, the folder of a feature can be deleted. */
export const features: { readonly absence?: (options: FeatureOptions) => AbsenceFeature | undefined } = {
  absence: noticesFor,
};
