// A name for the AI Gateway, which needs AI_GATEWAY_API_KEY, or a model of a provider's package.
export const model = "openai/gpt-5";
