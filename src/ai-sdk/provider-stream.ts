import {
  type Envelope,
  type EnvelopePart,
  isEnvelopePart,
  readEnvelopePart,
  toEnvelopePart,
} from "./envelope.ts";

/** The options of `elicitationTransform` and `elicitationMiddleware`. */
export interface ElicitationTransformOptions {
  /**
   * Recognises text frames that are envelopes (contract, section 3). Set it only for a model behind an elicitation
   * server. Any other model writes an envelope only if it was tricked into that.
   * @default false: all text stays text
   */
  textEnvelopes?: boolean | undefined;
}

/** Receives envelopes instead of the stream. */
export interface EnvelopeListener {
  /**
   * Required with AI SDK 6, which has no `custom` parts and ends the run at one. Called with each envelope, which is
   * removed from the stream. Pass it to a function of `createEnvelopeConfirmer`.
   */
  onEnvelope: (envelope: Envelope) => void;
}

/** The property that the kit reads of a stream part of `LanguageModelV2`, `V3` or `V4`. */
export interface StreamPartLike {
  readonly type: string;
}

/**
 * Transforms the stream of a language model: a text frame that is exactly one envelope becomes a `custom` part of the kind
 * `elicit-kit.elicitation-request` or `elicit-kit.elicitation-resolved`. Frames are never joined. All other parts pass
 * unchanged.
 */
export function elicitationTransform<Part extends StreamPartLike>(
  options: ElicitationTransformOptions & EnvelopeListener,
): TransformStream<Part, Part>;
export function elicitationTransform<Part extends StreamPartLike>(
  options?: ElicitationTransformOptions,
): TransformStream<Part, Part | EnvelopePart>;
export function elicitationTransform<Part extends StreamPartLike>(
  options: ElicitationTransformOptions & Partial<EnvelopeListener> = {},
): TransformStream<Part, Part | EnvelopePart> {
  const { textEnvelopes = false, onEnvelope } = options;
  return new TransformStream({
    transform(part, controller) {
      const found = textEnvelopes ? envelopeIn(part) : undefined;
      if (found === undefined) return controller.enqueue(part);
      if (onEnvelope === undefined) return controller.enqueue(found);
      const envelope = readEnvelopePart(found);
      if (envelope !== undefined) onEnvelope(envelope);
    },
  });
}

function envelopeIn(part: StreamPartLike): EnvelopePart | undefined {
  if (part.type !== "text-delta" || !("delta" in part)) return undefined;
  return typeof part.delta === "string" ? toEnvelopePart(part.delta) : undefined;
}

type PartOf<Result> = Result extends { stream: ReadableStream<infer Part extends StreamPartLike> }
  ? Part
  : never;

interface PromptMessage {
  readonly role: string;
  readonly content: string | readonly { readonly type: string }[];
}

/** A middleware for `wrapLanguageModel`. Structural, so that any copy and version of `ai` fits. */
export interface ElicitationMiddleware<Specification extends "v3" | "v4", Added> {
  readonly specificationVersion: Specification;
  transformParams<Params extends { prompt: PromptMessage[] }>(options: { params: Params }): Promise<Params>;
  wrapStream<Result extends { stream: ReadableStream<StreamPartLike> }>(options: {
    doStream: () => PromiseLike<Result>;
  }): Promise<Omit<Result, "stream"> & { stream: ReadableStream<PartOf<Result> | Added> }>;
}

/**
 * `elicitationTransform` as a middleware. It also removes the envelopes of earlier turns from the prompt, because AI SDK 7
 * would send them to the model.
 *
 * @example
 * const model = wrapLanguageModel({ model: agents("my-agent"), middleware: elicitationMiddleware({ textEnvelopes: true }) });
 */
export function elicitationMiddleware(
  options: ElicitationTransformOptions & EnvelopeListener,
): ElicitationMiddleware<"v3", never>;
export function elicitationMiddleware(
  options?: ElicitationTransformOptions,
): ElicitationMiddleware<"v4", EnvelopePart>;
export function elicitationMiddleware(
  options: ElicitationTransformOptions & Partial<EnvelopeListener> = {},
): ElicitationMiddleware<"v3" | "v4", EnvelopePart> {
  return {
    specificationVersion: options.onEnvelope === undefined ? "v4" : "v3",
    transformParams: async ({ params }) => ({ ...params, prompt: withoutEnvelopes(params.prompt) }),
    async wrapStream({ doStream }) {
      const result = await doStream();
      return {
        ...result,
        stream: result.stream.pipeThrough(elicitationTransform<PartOf<typeof result>>(options)),
      };
    },
  };
}

function withoutEnvelopes(prompt: readonly PromptMessage[]): PromptMessage[] {
  return prompt.flatMap((message) => {
    const { content } = message;
    if (typeof content === "string" || !content.some(isEnvelopePart)) return [message];
    const rest = content.filter((part) => !isEnvelopePart(part));
    // Providers reject messages without content.
    return rest.length === 0 ? [] : [{ ...message, content: rest }];
  });
}
