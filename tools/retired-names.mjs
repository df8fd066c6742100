/**
 * Part of `npm run lint`: fails on names and sentences that this project no longer uses. Each word has one meaning here,
 * and an old name would make the meaning ambiguous again.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./bootstrap.mjs";

/** @typedef {{ pattern: RegExp, instead: string, in?: RegExp }} Retired `in`: only in files whose path matches */

const CODE = /\.(?:ts|tsx|mjs|mts)$/;
/** The kit's own code; elsewhere the word has its ordinary meaning. */
const SOURCE = /^(?:src\/|extras\/(?!conformance\/)|demo\/|stories\/).*\.tsx?$/;

/** @type {readonly Retired[]} */
const RETIRED = [
  {
    pattern: /\bReact\.lazy\(|import \{[^}]*\blazy\b[^}]*\} from "react"/,
    instead: "what src/client/late.ts does: lazy suspends the app, and a failure stays",
    in: /^(?:src|extras)\/.*\.tsx?$/,
  },
  { pattern: /elicit-kit\/protocol\b/, instead: "elicit-kit/contract" },
  { pattern: /elicit-kit\/runtime\/agent\b/, instead: "elicit-kit/agent" },
  { pattern: /elicit-kit\/runtime\/hosted-page\b/, instead: "elicit-kit/connect" },
  {
    pattern: /elicit-kit\/runtime\/(?:node|postgres|dbos)\b/,
    instead: "elicit-kit/node, /postgres or /dbos",
  },
  { pattern: /chunk-mender/, instead: "chunk-sanitizer" },
  { pattern: /event-cutter/, instead: "sse-splitter" },
  { pattern: /plain-delta/, instead: "delta-fast-path" },
  { pattern: /\bledger\b/i, instead: "record-writer or record-notifier" },
  { pattern: /\bOUTCOME_OF\b/, instead: "outcomeOfAction", in: CODE },
  { pattern: /\b(?:misfitsOf|misfits)\b/, instead: "invalidFields", in: SOURCE },
  { pattern: /\bOnePage\b/, instead: "ConnectPromptRootInner" },
  { pattern: /\bDrawn\b/, instead: "PartRender", in: CODE },
  {
    pattern:
      /\b(?:Prompt|ConnectPrompt|FormElicitation)(?:Claim|Connect|Control|CopyLink|Decline|Description|Dismiss|Error|ErrorCount|Fallback|Field|Fields|Finished|Label|Limits|Message|Notice|Receipt|Remaining|Requester|Retry|Root|SecretsWarning|Sent|Submit|Tile|Title|Url|Waiting|Warnings)(?:Props|State)\b/,
    instead: "the type in the part's namespace: ConnectPromptParts.Url.Props",
  },
  { pattern: /\buseFormVersion\b/, instead: "useAnswers" },
  { pattern: /\bhurry\b/, instead: "retryNow", in: SOURCE },
  { pattern: /\bdepart\b/, instead: "markSent", in: SOURCE },
  { pattern: /\bspeak\(/, instead: "pumpChunks(", in: /^src\/runtime\// },
  { pattern: /\bstripElicitationParts\b/, instead: "historyForModel" },
  { pattern: /\bcreateRouteElicit\b/, instead: "createRouteElicitor" },
  { pattern: /\bElicit\b/, instead: "Elicitor", in: CODE },
  { pattern: /\bconnectionRefusedText\b/, instead: "pageRefusedText" },
  { pattern: /\belicitationBus\b/, instead: "runtime.subscribe", in: CODE },
  { pattern: /\btimeoutMs\b/, instead: "expiresInMs", in: /^src\/runtime\/tool\// },
  { pattern: /\brooms?\b/, instead: "module", in: /^(?:CONTRIBUTING|ARCHITECTURE|README)\.md$|^tools\// },
  {
    pattern: /nothing but answers answers/,
    instead: "A message that contains only answer parts settles those requests",
  },
  { pattern: /makes who answers wait/, instead: "delays answers" },
  {
    pattern: /\b[Ww]ho (?:asks it|answers it|looks again|was beaten)\b/,
    instead: "a sentence with a subject",
  },
  { pattern: /\b[Ss]ees? to it that\b/, instead: "the verb itself: ends, keeps, checks" },
  { pattern: /\bInProcessEventBus\b/, instead: "createEventBus", in: CODE },
  {
    pattern: /\b(?:createHardenedFetch|hardenUiMessageStream|boundChallenge)\b/,
    instead: "nothing: it is gone",
    in: /^docs\/(?!api\/)/,
  },
  {
    pattern: /\b(?:(?:A2a|Mcp)?MessagesFor|McpProtectedResource)\b/,
    instead: "LoadMessages or ProtectedResource",
    in: /^(?:src|extras)\/(?:mcp(?:-server)?|a2a)\//,
  },
  { pattern: /\bwith(?:Nango|Refresh)\b/, instead: "withConnectors" },
  { pattern: /\bMcpUnauthorized\b/, instead: "CredentialRefused" },
  { pattern: /\buserOf\b/, instead: "subjectOf", in: /^extras\/mcp-server\/elicitor\// },
  {
    pattern:
      /import \{[^}]*\b(?:answeredElsewhere|bareEvents|delay|dropStream|duplicateChunk|failReply|ignoreCapability|swapChunks)\b[^}]*\} from "elicit-kit\/mock-server"/,
    instead: "faults.dropStream and the like",
  },
  {
    pattern: /import \{[^}]*\bcheck(?:Blocks|Modal|Suggestions)\b[^}]*\} from "elicit-kit\/slack\/testing"/,
    instead: "blockKit.checkBlocks and the like",
  },
  { pattern: /access token is none/, instead: "The access token is missing or malformed." },
  { pattern: /`(?:false|undefined)` says nothing/, instead: "`false` means: parse it normally." },
];

/**
 * This file and its test must contain the names, and so does the changelog. docs/api is generated from docstrings, which
 * are checked at their source.
 */
const EXEMPT = /^(?:tools\/retired-names\.|CHANGELOG\.md$|docs\/api\/)/;
const READ = /\.(?:ts|tsx|mts|mjs|md|mdx|css|html|py)$/;

/**
 * @param {string} path
 * @param {string} text
 * @returns {string[]} a line for each retired name in a file
 */
export function retiredIn(path, text) {
  if (EXEMPT.test(path) || !READ.test(path)) return [];
  const asked = RETIRED.filter((name) => name.in === undefined || name.in.test(path));
  return [path, ...text.split("\n")].flatMap((line, number) =>
    asked.flatMap(({ pattern, instead }) => {
      const found = pattern.exec(line)?.[0];
      return found === undefined ? [] : [`${path}:${number}: "${found}" is retired. Write: ${instead}`];
    }),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const files = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n");
  const found = files.flatMap((path) =>
    READ.test(path) ? retiredIn(path, readFileSync(join(root, path), "utf8")) : [],
  );
  for (const line of found) console.error(line);
  if (found.length > 0) {
    console.error(
      `elicit-kit: ${found.length} retired names. tools/retired-names.mjs says what to write instead.`,
    );
    process.exitCode = 1;
  }
}
