"use client";
/** `elicit-kit/parts`: the unstyled parts of the cards, to arrange in your own way. */
export * as ConnectPromptParts from "./connect-prompt/index.parts.ts";
export * as FormElicitationParts from "./form-elicitation/index.parts.ts";
export type {
  ConnectPromptConnectProps,
  ConnectPromptConnectState,
} from "./connect-prompt/connect/ConnectPromptConnect.tsx";
export type {
  ConnectPromptCopyLinkProps,
  ConnectPromptCopyLinkState,
} from "./connect-prompt/copy-link/ConnectPromptCopyLink.tsx";
export type {
  ConnectPromptFallbackProps,
  ConnectPromptFallbackState,
} from "./connect-prompt/fallback/ConnectPromptFallback.tsx";
export type {
  ConnectPromptFinishedProps,
  ConnectPromptFinishedState,
} from "./connect-prompt/finished/ConnectPromptFinished.tsx";
export type { ConnectPromptRootProps } from "./connect-prompt/root/ConnectPromptRoot.tsx";
export type { ConnectPromptRootState } from "./connect-prompt/use-connect-root.ts";
export type { ConnectPromptUrlProps, ConnectPromptUrlState } from "./connect-prompt/url/ConnectPromptUrl.tsx";
export type {
  ConnectPromptWaitingProps,
  ConnectPromptWaitingState,
} from "./connect-prompt/waiting/ConnectPromptWaiting.tsx";
export type { FormElicitationControlProps } from "./form-elicitation/control/FormElicitationControl.tsx";
export type {
  FormElicitationDescriptionProps,
  FormElicitationDescriptionState,
} from "./form-elicitation/description/FormElicitationDescription.tsx";
export type {
  FormElicitationErrorProps,
  FormElicitationErrorState,
} from "./form-elicitation/error/FormElicitationError.tsx";
export type {
  FormElicitationErrorCountProps,
  FormElicitationErrorCountState,
} from "./form-elicitation/error-count/FormElicitationErrorCount.tsx";
export type {
  FormElicitationFieldProps,
  FormElicitationFieldState,
} from "./form-elicitation/field/FormElicitationField.tsx";
export type {
  FormElicitationFieldsProps,
  FormElicitationFieldsState,
} from "./form-elicitation/fields/FormElicitationFields.tsx";
export type {
  FormElicitationLabelProps,
  FormElicitationLabelState,
} from "./form-elicitation/label/FormElicitationLabel.tsx";
export type {
  FormElicitationLimitsProps,
  FormElicitationLimitsState,
} from "./form-elicitation/limits/FormElicitationLimits.tsx";
export type { FormElicitationRootProps } from "./form-elicitation/root/FormElicitationRoot.tsx";
export type { FormElicitationRootState } from "./form-elicitation/use-form-root.tsx";
export type {
  FormElicitationSecretsWarningProps,
  FormElicitationSecretsWarningState,
} from "./form-elicitation/secrets-warning/FormElicitationSecretsWarning.tsx";
export type {
  FormElicitationSentProps,
  FormElicitationSentState,
} from "./form-elicitation/sent/FormElicitationSent.tsx";
export type {
  FormElicitationSubmitProps,
  FormElicitationSubmitState,
} from "./form-elicitation/submit/FormElicitationSubmit.tsx";
export type { PromptClaimProps, PromptClaimState } from "./prompt/claim/PromptClaim.tsx";
export type { PromptDeclineProps, PromptDeclineState } from "./prompt/decline/PromptDecline.tsx";
export type { PromptDismissProps, PromptDismissState } from "./prompt/dismiss/PromptDismiss.tsx";
export type { PromptMessageProps, PromptMessageState } from "./prompt/message/PromptMessage.tsx";
export type { PromptNoticeProps, PromptNoticeState } from "./prompt/notice/PromptNotice.tsx";
export type { PromptReceiptProps, PromptReceiptState } from "./prompt/receipt/PromptReceipt.tsx";
export type { PromptRemainingProps, PromptRemainingState } from "./prompt/remaining/PromptRemaining.tsx";
export type { PromptRequesterProps, PromptRequesterState } from "./prompt/requester/PromptRequester.tsx";
export type { PromptRetryProps, PromptRetryState } from "./prompt/retry/PromptRetry.tsx";
export type { PromptTileProps, PromptTileState } from "./prompt/tile/PromptTile.tsx";
export type { PromptTitleProps, PromptTitleState } from "./prompt/title/PromptTitle.tsx";
export type { PromptWarningsProps, PromptWarningsState } from "./prompt/warnings/PromptWarnings.tsx";
export type { PartOverrides, RenderProps } from "./part.ts";
