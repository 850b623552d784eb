import type { Hono } from "hono";
import { PageBuildError, type PageFiles } from "./page-files.ts";

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

/** Rebuilt whenever the page is opened. */
export function addPage(app: Hono, { files, report }: PageOptions): void {
  app.get("/", async (context) => {
    try {
      await files.build();
    } catch (error) {
      if (!(error instanceof PageBuildError)) throw error;
      report(error.message);
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
