import { Markdown } from "@storybook/addon-docs/blocks";

const guides = import.meta.glob<string>(
  ["../docs/**/*.md", "!../docs/{api,evidence,examples}/**", "!../docs/README.md"],
  { eager: true, query: "?raw", import: "default" },
);

/** The name of each guide's page in Storybook's URLs, by the path of its file. The name comes from its folder and title. */
const titles = new Map(
  Object.entries(guides).map(([file, text]) => {
    const path = file.slice("..".length);
    const [, folder = "guides"] = /^\/docs\/(\w+)\//.exec(path) ?? [];
    const [, title = ""] = /^# (.+)$/m.exec(text) ?? [];
    const name = ["guides", ...(folder === "guides" ? [] : [folder]), title].join("-");
    return [path, name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")];
  }),
);

/**
 * A guide of docs/ as a documentation page. Links between guides open their pages;
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
  const page = titles.get(path);
  if (page !== undefined) return `[${words}](?path=/docs/${page}--docs)`;
  return `<a href="files${path}" target="_blank">${words}</a>`;
}
