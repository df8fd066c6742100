import { afterEach, beforeEach } from "vitest";

/**
 * Fails a test in which the kit has rendered text beside other nodes of the same element. The translation of a browser
 * puts each text node into an element of its own. React then ends the whole chat when it removes such a text, or inserts
 * something before it. A text that is the only child of its element is replaced as a whole, which is safe.
 */
const KIT = "[data-elicitation], [class^='elicit-'], [class*=' elicit-']";
const bare = new Set<string>();

/** React marks the text nodes that it removes and inserts by themselves. */
function isOfReact(node: Node): boolean {
  return Object.keys(node).some((key) => key.startsWith("__reactFiber$"));
}

function look(records: readonly MutationRecord[]): void {
  for (const { addedNodes } of records) {
    for (const added of addedNodes) {
      const walker = document.createTreeWalker(added, NodeFilter.SHOW_TEXT);
      for (let node: Node | null = walker.currentNode; node !== null; node = walker.nextNode()) {
        const parent = node.nodeType === Node.TEXT_NODE ? node.parentElement : null;
        if (parent?.closest(KIT) && isOfReact(node)) {
          bare.add(`"${node.textContent}" in <${parent.localName} class="${parent.className}">`);
        }
      }
    }
  }
}

// Some tests render on a server, without a document.
if (typeof MutationObserver !== "undefined") {
  const observer = new MutationObserver(look);
  beforeEach(() => {
    bare.clear();
    observer.observe(document, { subtree: true, childList: true });
  });
  afterEach(() => {
    look(observer.takeRecords());
    observer.disconnect();
    if (bare.size > 0) throw new Error(`elicit-kit: text beside other nodes: ${[...bare].join(", ")}`);
  });
}
