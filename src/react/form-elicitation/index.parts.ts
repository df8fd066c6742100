export {
  PromptClaim as Claim,
  PromptMessage as Message,
  PromptRequester as Requester,
  PromptTile as Tile,
  PromptTitle as Title,
} from "../prompt/head.tsx";
export { PromptMoreTime as MoreTime } from "../prompt/more-time.tsx";
export {
  PromptDecline as Decline,
  PromptDismiss as Dismiss,
  PromptNotice as Notice,
  PromptReceipt as Receipt,
  PromptRemaining as Remaining,
  PromptRetry as Retry,
  PromptWarnings as Warnings,
} from "../prompt/parts.tsx";
export { FormElicitationDelegate as Delegate } from "./delegate.tsx";
export { FormElicitationNoAnd as NoAnd, FormElicitationNote as Note } from "./decline-note.tsx";
export {
  FormElicitationControl as Control,
  FormElicitationDescription as Description,
  FormElicitationError as Error,
  FormElicitationField as Field,
  FormElicitationLabel as Label,
  FormElicitationLimits as Limits,
} from "./field.tsx";
export {
  FormElicitationErrorCount as ErrorCount,
  FormElicitationFields as Fields,
  FormElicitationSecretsWarning as SecretsWarning,
  FormElicitationSent as Sent,
  FormElicitationSubmit as Submit,
} from "./parts.tsx";
export {
  FormElicitationGiveOn as GiveOn,
  FormElicitationGiveTo as GiveTo,
  FormElicitationRemind as Remind,
  FormElicitationTakeBack as TakeBack,
  FormElicitationWaitsFor as WaitsFor,
} from "./hand-over.tsx";
export { FormElicitationRemember as Remember } from "./remember.tsx";
export { FormElicitationRoot as Root } from "./root.tsx";
