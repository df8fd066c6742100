import { Markdown } from "@storybook/addon-docs/blocks";

/**
 * A guide of docs/ as a documentation page. Links between guides lead to their pages, whose addresses contain the file's
 * name; other links open the file. Pictures and files are served beside Storybook (`staticDirs`).
 */
export function Guide({ text }: { text: string }) {
  return <Markdown>{toBook(text)}</Markdown>;
}

function toBook(text: string): string {
  return (
    text
      // The Markdown block would read the file's name behind the language as its own options.
      .replaceAll(/^(```\w+) .+$/gm, "$1")
      .replaceAll(/\]\(([\w-]+)\.md(?:#[\w-]+)?\)/g, "](?path=/docs/documentation-$1--docs)")
      .replaceAll("](images/", "](files/docs/images/")
      .replaceAll(
        /(?<!!)\[([^\]]+)\]\((?:\.\.\/)?((?:[\w-]+\/)*[\w.-]+\.(?:md|json))(?:#[\w-]+)?\)/g,
        fileLink,
      )
  );
}

function fileLink(_link: string, words: string, path: string): string {
  const file = path === "README.md" ? "files/README.md" : `files/docs/${path}`;
  return `<a href="${file}" target="_blank">${words}</a>`;
}
