import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { BuildContext, OutputFile } from "esbuild";
import { describeBuildFailure } from "../../build/describe-build-failure.ts";
import { isPackage } from "../../build/folders.ts";
import { pageBuild, pageFolder } from "./page-build.ts";

/** The page's files by their names. */
export interface PageFiles {
  /**
   * Brings the files up to date with their sources, in some milliseconds.
   * @throws PageBuildError if they cannot be built
   */
  build(): Promise<void>;
  /** Returns a file of the last build; undefined if there is none. */
  read(name: string): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
}

/** The page's sources have a mistake. */
export class PageBuildError extends Error {
  override readonly name = "PageBuildError";
}

/** Makes the page's files of their sources, or, in the package, reads those that it ships. */
export function createPageFiles(): PageFiles {
  return isPackage ? shippedFiles : bundleFiles(pageFolder);
}

const shippedFiles: PageFiles = {
  build: async () => {},
  read: (name) => readFile(join(pageFolder, name)),
  close: async () => {},
};

/** Bundles a folder's `main.tsx`. The bundler is loaded when a page is asked for: a start without one is quicker. */
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
