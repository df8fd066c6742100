/** `elicit-kit/openai`: the chat of a runtime for clients of OpenAI's chat completions. */
export { openAiFormat } from "./openai-format.ts";
