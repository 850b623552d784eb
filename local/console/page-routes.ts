import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { BuildContext, BuildOptions, OutputFile } from "esbuild";
import type { Hono } from "hono";
import { describeBuildFailure } from "../../build/describe-build-failure.ts";
import { isPackage, packageFolder } from "../../build/folders.ts";
import { isEsbuildGone } from "../cloud/build/esbuild-gone.ts";

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Local stack</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/main.css">
<script type="module" src="/main.js"></script>
</head>
<body><div id="page"></div></body>
</html>
`;

const headers = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

export interface PageOptions {
  readonly files: PageFiles;
  readonly report: (text: string) => void;
}

export function addPage(app: Hono, { files, report }: PageOptions): void {
  app.get("/", async (context) => {
    try {
      await files.build();
    } catch (error) {
      report(error instanceof Error ? error.message : String(error));
      if (!(error instanceof PageBuildError)) throw error;
      return context.text(error.message, 500, headers);
    }
    return context.html(html, 200, headers);
  });
  app.get("/:file{[a-z-]+\\.(?:js|css)}", async (context) => {
    const name = context.req.param("file");
    const contents = await files.read(name);
    if (contents === undefined) return context.notFound();
    const type = name.endsWith(".js") ? "text/javascript; charset=utf-8" : "text/css; charset=utf-8";
    return context.body(Uint8Array.from(contents).buffer, 200, { ...headers, "content-type": type });
  });
}

interface PageFiles {
  build(): Promise<void>;
  read(name: string): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
}

class PageBuildError extends Error {
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

/** Bundles a folder's `main.tsx`. Imports the bundler on first use: a faster start. */
export function bundleFiles(folder: string): PageFiles {
  let bundler: Promise<BuildContext<{ write: false }>> | undefined;
  let files: readonly OutputFile[] = [];
  const rebuild = async () => {
    bundler ??= import("esbuild").then(({ context }) => context(pageBuild(folder)));
    return await (await bundler).rebuild();
  };
  const rebuildAfterEnd = async (error: unknown) => {
    if (!isEsbuildGone(String(error))) throw error;
    bundler = undefined;
    await (await import("esbuild")).stop();
    return await rebuild();
  };
  return {
    async build() {
      try {
        const { outputFiles } = await rebuild().catch(rebuildAfterEnd);
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
    // Dynamic imports become separate files.
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
