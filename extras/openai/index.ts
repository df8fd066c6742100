/** `elicit-kit/openai`: serves the chat of a runtime to clients of OpenAI's chat completions. */
export { openAiFormat } from "./openai-format.ts";
