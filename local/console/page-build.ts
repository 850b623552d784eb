import { join } from "node:path";
import type { BuildOptions } from "esbuild";
import { packageFolder } from "../../build/folders.ts";

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
