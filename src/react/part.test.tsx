import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createRef, type ForwardedRef, forwardRef } from "react";
import { afterEach, describe, expect, it } from "vitest";
import { mergeProps, type PartProps, usePartElement } from "./part.ts";

afterEach(cleanup);

interface State {
  open: boolean;
  side: string | undefined;
}
const Part = forwardRef(function Part(
  { log, ...props }: PartProps<"button", State> & { log?: string[] },
  ref: ForwardedRef<HTMLButtonElement>,
) {
  return usePartElement(props, ref, {
    tag: "button",
    state: { open: true, side: undefined },
    props: { type: "button", className: "own", onClick: () => log?.push("part"), children: "Press" },
  });
});

describe("usePartElement", () => {
  it("renders its state as data attributes, and none for a state that is false or absent", () => {
    render(<Part />);
    const button = screen.getByRole("button");
    expect(button.getAttribute("data-open")).toBe("");
    expect(button.hasAttribute("data-side")).toBe(false);
  });

  it("passes attributes on, joins class names, and calls functions with the state", () => {
    render(
      <Part
        title="hint"
        className={({ open }) => (open ? "is-open" : "")}
        style={() => ({ color: "red" })}
      />,
    );
    const button = screen.getByTitle("hint");
    expect(button.className).toBe("own is-open");
    expect(button.style.color).toBe("red");
  });

  it("renders another element with the part's props, its own props and both refs", async () => {
    const log: string[] = [];
    const outer = createRef<HTMLButtonElement>();
    const inner = createRef<HTMLAnchorElement>();
    render(
      <Part
        ref={outer}
        log={log}
        className="mine"
        render={
          <a href="#there" ref={inner} className="inner" onClick={() => log.push("element")}>
            Go
          </a>
        }
      />,
    );
    const link = screen.getByRole("link", { name: "Go" });
    await userEvent.click(link);
    expect(link.className).toBe("own mine inner");
    expect(inner.current).toBe(link);
    expect(outer.current).toBe(link);
    expect(log).toEqual(["element", "part"]);
  });

  it("passes the props and the state to a render function", () => {
    render(<Part render={(props, state) => <b {...props}>{String(state.open)}</b>} />);
    expect(screen.getByText("true").className).toBe("own");
  });

  it("runs the caller's handler first, and skips its own if the default is prevented", async () => {
    const log: string[] = [];
    render(
      <>
        <Part log={log} onClick={() => log.push("caller")} />
        <Part
          log={log}
          onClick={(event) => {
            event.preventDefault();
            log.push("only caller");
          }}
        />
      </>,
    );
    for (const button of screen.getAllByRole("button")) await userEvent.click(button);
    expect(log).toEqual(["caller", "part", "only caller"]);
  });

  it("runs the cleanup of a callback ref, or calls it with null, never both", () => {
    const log: string[] = [];
    const withCleanup = (node: HTMLButtonElement | null) => {
      log.push(node === null ? "null" : "attached");
      return () => void log.push("cleaned");
    };
    const { unmount } = render(<Part ref={withCleanup} />);
    unmount();
    expect(log).toEqual(["attached", "cleaned"]);
    const plain: (string | undefined)[] = [];
    render(<Part ref={(node) => void plain.push(node?.tagName)} />).unmount();
    expect(plain).toEqual(["BUTTON", undefined]);
  });
});

describe("mergeProps", () => {
  it("prefers later props to earlier ones, and ignores a later undefined", () => {
    expect(mergeProps({ id: "a", title: "t" }, { id: "b", title: undefined })).toEqual({
      id: "b",
      title: "t",
    });
  });
});
