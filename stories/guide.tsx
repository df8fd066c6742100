import { Markdown } from "@storybook/addon-docs/blocks";

/**
 * A guide of docs/ as a documentation page. Links between guides open their pages, whose URLs contain the file's name;
 * other links open the file. Storybook serves pictures and files (`staticDirs`). `folder`: where the guide is in docs/.
 */
export function Guide({ text, folder = "" }: { text: string; folder?: string }) {
  return <Markdown>{toBook(text, folder)}</Markdown>;
}

function toBook(text: string, folder: string): string {
  return (
    text
      // Otherwise the Markdown block would parse the file's name after the language as its own options.
      .replaceAll(/^(```\w+) .+$/gm, "$1")
      .replaceAll(/\]\((?:\.\.\/)*images\//g, "](files/docs/images/")
      .replaceAll(
        /(?<!!)\[([^\]]+)\]\(((?:\.\.\/)*(?:[\w-]+\/)*[\w.-]+\.(?:md|json))(?:#[\w-]+)?\)/g,
        (_link, words: string, path: string) =>
          link(words, new URL(path, `https://book.example/docs/${folder}`).pathname),
      )
  );
}

function link(words: string, path: string): string {
  const [, page] = /^\/docs\/((?!api\/|README)[\w/-]+)\.md$/.exec(path) ?? [];
  if (page !== undefined) return `[${words}](?path=/docs/guides-${page.replaceAll("/", "-")}--docs)`;
  return `<a href="files${path}" target="_blank">${words}</a>`;
}
