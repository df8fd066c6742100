import { transformAsync } from "@babel/core";
import type { Plugin } from "vite";

/** The output of React Compiler for a file. */
export interface Compiled {
  code: string;
  map: string | null;
  /** Why the compiler did not change components or hooks of the file. */
  left: readonly string[];
}

interface CompilerEvent {
  kind: string;
  reason?: string;
  detail?: unknown;
}

/** Compiles one file with React Compiler, as an app can do with its packages. */
export async function compile(file: string, source: string): Promise<Compiled> {
  const left: string[] = [];
  const logger = {
    logEvent(_file: string | null, { kind, reason, detail }: CompilerEvent) {
      if (kind !== "CompileSuccess") left.push(`${kind} in ${file}: ${reason ?? JSON.stringify(detail)}`);
    },
  };
  const result = await transformAsync(source, {
    filename: file,
    babelrc: false,
    configFile: false,
    sourceMaps: true,
    parserOpts: { plugins: ["typescript", "jsx"] },
    plugins: [["babel-plugin-react-compiler", { logger }]],
  });
  return { code: result?.code ?? source, map: result?.map ? JSON.stringify(result.map) : null, left };
}

/** Compiles the files of the React module before any other transform. */
export function reactCompiler(): Plugin {
  return {
    name: "elicit-kit:react-compiler",
    enforce: "pre",
    transform: {
      filter: { id: /\/src\/react\/(?!.*\.test\.).*\.tsx?$/ },
      async handler(source, id) {
        const { code, map } = await compile(id, source);
        return { code, map };
      },
    },
  };
}
