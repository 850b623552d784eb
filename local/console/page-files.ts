import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { BuildContext, BuildOptions, OutputFile } from "esbuild";
import { describeBuildFailure } from "../../build/describe-build-failure.ts";
import { isPackage, packageFolder } from "../../build/folders.ts";

export interface PageFiles {
  /** @throws PageBuildError */
  build(): Promise<void>;
  read(name: string): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
}

export class PageBuildError extends Error {
  override readonly name = "PageBuildError";
}

export function createPageFiles(): PageFiles {
  return isPackage ? shippedFiles : bundleFiles(pageFolder);
}

const shippedFiles: PageFiles = {
  build: async () => {},
  read: (name) => readFile(join(pageFolder, name)).catch(() => undefined),
  close: async () => {},
};

/** A folder's `main.tsx`. Imports the bundler on first use, for a faster start. */
export function bundleFiles(folder: string): PageFiles {
  let bundler: Promise<BuildContext<{ write: false }>> | undefined;
  let files: readonly OutputFile[] = [];
  return {
    async build() {
      bundler ??= import("esbuild").then(({ context }) => context(pageBuild(folder)));
      try {
        const { outputFiles } = await (await bundler).rebuild();
        files = outputFiles;
      } catch (error) {
        const mistakes = describeBuildFailure(error, folder).join("\n");
        throw new PageBuildError(`The console's page cannot be built:\n${mistakes}`, { cause: error });
      }
    },
    read: async (name) => files.find(({ path }) => path.endsWith(`/${name}`))?.contents,
    async close() {
      await (await bundler)?.dispose();
    },
  };
}

export const pageFolder = join(import.meta.dirname, "page");

export function pageBuild(folder: string) {
  return {
    entryPoints: [join(folder, "main.tsx")],
    absWorkingDir: packageFolder,
    outdir: "/", // nothing is written
    bundle: true,
    // What is imported on demand is a file of its own.
    splitting: true,
    chunkNames: "[name]",
    minify: true,
    write: false,
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    logLevel: "silent",
  } as const satisfies BuildOptions;
}
