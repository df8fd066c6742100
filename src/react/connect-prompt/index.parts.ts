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
export {
  ConnectPromptConnect as Connect,
  ConnectPromptCopyLink as CopyLink,
  ConnectPromptFallback as Fallback,
  ConnectPromptFinished as Finished,
  ConnectPromptUrl as Url,
  ConnectPromptWaiting as Waiting,
} from "./parts.tsx";
export { ConnectPromptRoot as Root } from "./root.tsx";
