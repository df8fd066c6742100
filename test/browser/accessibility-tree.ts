import { cdp } from "vitest/browser";

/** One node as a screen reader gets it from the browser. */
export interface SpokenNode {
  role: string;
  name: string;
  description: string;
  /** `checked`, `invalid`, `focused`, `required`, `live` … as the browser reports them. */
  properties: Readonly<Record<string, unknown>>;
  /** The text directly below it. */
  text: string;
}

interface Frame {
  frame: { id: string; name?: string };
  childFrames?: readonly Frame[];
}
interface RawNode {
  nodeId: string;
  childIds?: readonly string[];
  ignored: boolean;
  role?: { value: string };
  name?: { value: string };
  description?: { value: string };
  properties?: readonly { name: string; value: { value?: unknown } }[];
}

/**
 * The accessibility tree of the page under test, from Chromium itself, without nodes that are hidden from screen readers.
 */
export async function accessibilityTree(): Promise<readonly SpokenNode[]> {
  const session = cdp() as unknown as { send(method: string, params?: object): Promise<unknown> };
  const { frameTree } = (await session.send("Page.getFrameTree")) as { frameTree: Frame };
  // The test runs in the only frame of the runner's page.
  const frameId = frameTree.childFrames?.[0]?.frame.id;
  const { nodes } = (await session.send("Accessibility.getFullAXTree", { frameId })) as { nodes: RawNode[] };
  return nodes
    .filter(({ ignored }) => !ignored)
    .map(({ role, name, description, properties, childIds = [] }) => ({
      role: role?.value ?? "",
      name: name?.value ?? "",
      description: description?.value ?? "",
      properties: Object.fromEntries((properties ?? []).map((entry) => [entry.name, entry.value.value])),
      text: nodes
        .filter((node) => childIds.includes(node.nodeId) && node.role?.value === "StaticText")
        .map((node) => node.name?.value)
        .join(""),
    }));
}

/** The role and name of the focused element. */
export async function focused(): Promise<string> {
  const nodes = (await accessibilityTree()).filter(({ properties }) => properties["focused"] === true);
  const node = nodes.at(-1);
  return node === undefined ? "nothing" : `${node.role} ${node.name}`;
}

/** The text of the polite live regions. */
export async function announced(): Promise<string> {
  const regions = (await accessibilityTree()).filter(({ properties }) => properties["live"] === "polite");
  return regions.map(({ text }) => text).join(" | ");
}
