import { options } from "preact";

/**
 * Makes Preact ignore an `input` event with the value that an element shows already, as React does. The cards send such
 * events to find values that a browser has filled in. Otherwise they would count as typed: a text beside an option would
 * replace the chosen option, and the server's errors would disappear.
 */
export function ignoreKnownValues(): void {
  const before = options.vnode;
  options.vnode = (vnode) => {
    before?.(vnode);
    const props: Record<string, unknown> = vnode.props;
    const { value, oninput } = props;
    if (typeof vnode.type !== "string" || typeof oninput !== "function") return;
    if (typeof value !== "string" && typeof value !== "number") return;
    props["oninput"] = (event: Event & { currentTarget: HTMLInputElement }) => {
      if (event.currentTarget.value !== String(value)) oninput(event);
    };
  };
}
