import type { Hono } from "hono";
import type { PageFiles } from "./page-files.ts";

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Local world</title>
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

/** Adds the page and its two files. It is built anew whenever it is opened, so that it is never older than its source. */
export function addPage(app: Hono, files: PageFiles): void {
  app.get("/", async (context) => {
    await files.build();
    return context.html(html, 200, headers);
  });
  for (const [name, type] of [
    ["main.js", "text/javascript; charset=utf-8"],
    ["main.css", "text/css; charset=utf-8"],
  ] as const) {
    app.get(`/${name}`, (context) => {
      const contents = files.read(name);
      if (contents === undefined) return context.notFound();
      return context.body(Uint8Array.from(contents).buffer, 200, { ...headers, "content-type": type });
    });
  }
}
