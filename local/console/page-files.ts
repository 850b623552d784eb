import { join } from "node:path";
import type { BuildContext, OutputFile } from "esbuild";

/** The page's files by their names: what esbuild makes of `page/`. */
export interface PageFiles {
  /** Builds what has changed since the last time, in some milliseconds. @throws Error that names file and line */
  build(): Promise<void>;
  /** Gives a file of the last build. */
  read(name: string): Uint8Array | undefined;
  close(): Promise<void>;
}

/** Makes the page's bundler. It is loaded when a page is asked for: a start without one is quicker. */
export function createPageFiles(): PageFiles {
  let bundler: Promise<BuildContext<{ write: false }>> | undefined;
  let files: readonly OutputFile[] = [];
  return {
    async build() {
      bundler ??= createBundler();
      const { outputFiles } = await (await bundler).rebuild();
      files = outputFiles;
    },
    read: (name) => files.find(({ path }) => path.endsWith(`/${name}`))?.contents,
    async close() {
      await (await bundler)?.dispose();
    },
  };
}

async function createBundler(): Promise<BuildContext<{ write: false }>> {
  const { context } = await import("esbuild");
  return await context({
    entryPoints: [join(import.meta.dirname, "page", "main.tsx")],
    outdir: "/", // nothing is written
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    logLevel: "silent",
  });
}
