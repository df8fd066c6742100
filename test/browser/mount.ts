import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { onTestFinished } from "vitest";

/** Renders into an element of the page, which is removed after the test. */
export function mount(content: ReactNode, width?: string): HTMLElement {
  const container = document.createElement("main");
  if (width !== undefined) container.style.inlineSize = width;
  document.body.append(container);
  const root = createRoot(container);
  root.render(content);
  onTestFinished(() => {
    root.unmount();
    container.remove();
  });
  return container;
}
