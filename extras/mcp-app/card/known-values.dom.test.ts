import { createElement, render } from "preact/compat";
import { expect, it, onTestFinished, vi } from "vitest";
import { ignoreKnownValues } from "./known-values.ts";

ignoreKnownValues();

it.each([
  ["input", "X"],
  ["textarea", "X"],
  ["input", 1],
])("%s with %o reports a value that was filled in, and not the one it shows", (tag, value) => {
  const root = document.createElement("div");
  onTestFinished(() => void render(null, root));
  const onChange = vi.fn();
  render(createElement(tag, { value, onChange }), root);
  const element = root.firstElementChild as HTMLInputElement;
  element.dispatchEvent(new Event("input", { bubbles: true }));
  expect(onChange).not.toHaveBeenCalled();
  element.value = "Y";
  element.dispatchEvent(new Event("input", { bubbles: true }));
  expect(onChange).toHaveBeenCalledTimes(1);
});
