import type { Hono } from "hono";
import type { Services } from "../services/services.ts";
import { getFile } from "../store/files.ts";

/** Adds what attachments link to: the files that came with messages, always as a download and never as a page. */
export function addFiles(app: Hono, { db }: Services): void {
  app.get("/_platform/apps/:appId/files/:fileId/:name", (context) => {
    const file = getFile({ db, appId: context.req.param("appId") }, context.req.param("fileId"));
    if (file === undefined || file.name !== context.req.param("name")) {
      return context.json({ error: { code: "NOT_FOUND", message: "There is no such file." } }, 404);
    }
    return new Response(Uint8Array.from(file.bytes), {
      headers: {
        "content-type": isPlain.test(file.mimeType) ? file.mimeType : "application/octet-stream",
        "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
        "content-security-policy": "sandbox",
        "x-content-type-options": "nosniff",
      },
    });
  });
}

const isPlain = /^[\w.+-]+\/[\w.+-]+$/;
