import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useContext } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { AnnounceContext, ElicitationAnnouncer } from "./live-region.tsx";

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function Copy() {
  const announce = useContext(AnnounceContext);
  return (
    <button type="button" onClick={() => announce?.("Copied")}>
      Copy
    </button>
  );
}

/** Presses the button, a second after the last press. Returns the text of the live region. */
function press(): string {
  vi.setSystemTime(Date.now() + 1_000);
  fireEvent.click(screen.getByRole("button"));
  return screen.getByRole("status").textContent ?? "";
}

it("a sentence that is said again changes the region, because screen readers ignore a text that stays", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  render(
    <ElicitationAnnouncer>
      <Copy />
    </ElicitationAnnouncer>,
  );
  const texts = [press(), press(), press()];
  expect(texts.map((text) => text.trim())).toEqual(["Copied.", "Copied.", "Copied."]);
  expect(texts[1]).not.toBe(texts[0]);
  expect(texts[2]).not.toBe(texts[1]);
});
