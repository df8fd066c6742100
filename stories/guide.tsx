import { Markdown } from "@storybook/addon-docs/blocks";

/**
 * A guide of docs/, as a page of the book. Links between guides stay in the book, each of which has its file's name in
 * its address; other links open the file itself. Pictures and files lie beside the book (`staticDirs`).
 */
export function Guide({ text }: { text: string }) {
  return <Markdown>{toBook(text)}</Markdown>;
}

function toBook(text: string): string {
  return (
    text
      // The block would take a file's name behind the language for properties of its own, such as "theme".
      .replaceAll(/^(```\w+) .+$/gm, "$1")
      .replaceAll(/\]\(([\w-]+)\.md(?:#[\w-]+)?\)/g, "](?path=/docs/documentation-$1--docs)")
      .replaceAll("](images/", "](docs/images/")
      .replaceAll(
        /(?<!!)\[([^\]]+)\]\((?:\.\.\/)?((?:[\w-]+\/)*[\w.-]+\.(?:md|json))(?:#[\w-]+)?\)/g,
        fileLink,
      )
  );
}

function fileLink(_link: string, words: string, path: string): string {
  const file = path === "README.md" ? path : `docs/${path}`;
  return `<a href="${file}" target="_blank">${words}</a>`;
}
