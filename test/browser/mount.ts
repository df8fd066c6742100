import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { onTestFinished } from "vitest";

/** Renders into an element of the page or of `parent`, which is removed after the test. */
export function mount(content: ReactNode, width?: string, parent: ParentNode = document.body): HTMLElement {
  const container = document.createElement("main");
  if (width !== undefined) container.style.inlineSize = width;
  parent.append(container);
  const root = createRoot(container);
  root.render(content);
  onTestFinished(() => {
    root.unmount();
    container.remove();
  });
  return container;
}
