const USAGE = `elicit-kit <command>

  init         Adds an agent that asks, its route and its card to the app in this folder.
  conformance  Checks a server against the contract, over HTTP.
  audit        Verifies or exports the decision log in PostgreSQL.

elicit-kit <command> --help says more about one.
`;

const COMMANDS: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  init: async (args) => (await import("../init/command.ts")).runInit(args),
  conformance: async (args) => (await import("../conformance/command.ts")).runConformance(args),
  audit: async (args) => (await import("./audit.ts")).runAudit(args),
};

/** Runs the program. @returns its exit code */
export async function runCli(): Promise<number> {
  const [command = "--help", ...args] = process.argv.slice(2);
  if (command === "--help" || command === "-h") {
    process.stdout.write(USAGE);
    return 0;
  }
  const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  if (run !== undefined) return run(args);
  process.stderr.write(
    `elicit-kit: There is no command "${command}". The commands are: ${Object.keys(COMMANDS).join(", ")}.\nSee elicit-kit --help.\n`,
  );
  return 2;
}
