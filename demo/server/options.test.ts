import { describe, expect, it } from "vitest";
import { modelName, withOptions } from "./options.ts";

describe("the options of npm start", () => {
  it("do not change the environment if there are none", () => {
    const env = { MODEL_BASE_URL: "https://models.example/v1", MODEL: "large" };
    expect(withOptions([], env)).toBe(env);
    expect(modelName(env)).toBe("large");
    expect(modelName({ MODEL: "large" })).toBeUndefined();
  });

  it("use Ollama for a model without a URL", () => {
    const env = withOptions(["--model", "llama3.2"], { PORT: "0", MODEL_BASE_URL: "" });
    expect(env).toEqual({ PORT: "0", MODEL: "llama3.2", MODEL_BASE_URL: "http://localhost:11434/v1" });
    expect(modelName(env)).toBe("llama3.2");
  });

  it("override the environment", () => {
    const env = { MODEL_BASE_URL: "https://models.example/v1", MODEL: "large" };
    expect(withOptions(["--model", "small"], env)).toEqual({ ...env, MODEL: "small" });
    expect(withOptions(["--model-url", "http://localhost/v1"], env)).toEqual({
      ...env,
      MODEL_BASE_URL: "http://localhost/v1",
    });
  });

  it("add Slack, with a model or without one", () => {
    expect(withOptions(["--slack"], { PORT: "0" })).toEqual({ PORT: "0", SLACK: "1" });
    expect(withOptions(["--slack", "--model", "small"], {})).toMatchObject({ SLACK: "1", MODEL: "small" });
  });

  it("run the demo in several processes, without Slack", () => {
    expect(withOptions(["--durable"], { PORT: "0" })).toEqual({ PORT: "0", DURABLE: "1" });
    expect(() => withOptions(["--durable", "--slack"], {})).toThrow(/^elicit-kit: .*--slack or --durable/);
  });

  it("are listed in the error about an unknown option", () => {
    expect(() => withOptions(["--modle", "x"], {})).toThrow(
      /^elicit-kit: .*--modle.*\nThe options are --model/,
    );
  });
});
