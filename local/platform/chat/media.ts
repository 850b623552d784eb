import { hash } from "node:crypto";
import type { Context, Hono } from "hono";
import { requireApiKey } from "../http/answer-request.ts";
import type { AppRequest } from "../http/route.ts";
import { nowSeconds, type Services } from "../services/services.ts";
import { type App, findApp } from "../store/apps.ts";
import { type AppData, getDocument } from "../store/database.ts";
import { fileKind } from "../store/messages.ts";

/** @see docs/internals/platform/messages.md#media */
export function mediaAddress(request: AppRequest, id: string, name: string): string {
  const app = findApp(request.db, request.appId);
  const { mediaAddresses } = request.switches;
  if (app === undefined || mediaAddresses === "open") {
    return `${request.origin}/_platform/apps/${request.appId}/files/${id}/${encodeURIComponent(name)}`;
  }
  return mediaAddresses === "token"
    ? placeOf(request.origin, app, "files") + id
    : signed(request, placeOf(request.origin, app, "media") + id, id, daySeconds);
}

const daySeconds = 86_400;
const tokenSeconds = 300;

function placeOf(origin: string, { appId, region }: App, service: "files" | "media") {
  const isNamed = new URL(origin).hostname.endsWith(".cometchat.io");
  return isNamed
    ? `https://${service}-${region}.cometchat.io/${appId}/media/`
    : `${origin}/${appId}.${service}-${region}/media/`;
}

function signed(services: Pick<Services, "clock">, url: string, id: string, seconds: number) {
  const expires = String(nowSeconds(services) + seconds);
  return `${url}?Expires=${expires}&Signature=${signatureOf(id, expires)}&Key-Pair-Id=EMULATED`;
}

function signatureOf(id: string, of: string) {
  return hash("sha256", `${id} ${of}`, "base64url");
}

export function addMedia(app: Hono, services: Services): void {
  app.get("/none/:place/media/:id", (context) => {
    const url = new URL(context.req.url);
    const found = placeIn(url.hostname, context.req.param("place"));
    const media = found && findApp(services.db, found.appId);
    const data = { db: services.db, appId: found?.appId ?? "" };
    const id = context.req.param("id");
    const file = media && getFile(data, id);
    if (found === undefined || media === undefined || file === undefined) return context.body(null, 404);
    const token = url.searchParams.get("fat");
    if (found.service === "media") {
      const [expires, signature] = [url.searchParams.get("Expires") ?? "", url.searchParams.get("Signature")];
      const isOpen = signature === signatureOf(id, expires) && Number(expires) > nowSeconds(services);
      // Clients compare it with `Expires`.
      const date = new Date(services.clock.now()).toUTCString();
      return isOpen ? sendFile(file) : context.body(null, 403, { date });
    }
    const origin = url.hostname.endsWith(".cometchat.io") ? `https://${url.hostname}` : url.origin;
    if (token === signatureOf(id, "fat")) {
      const place = placeOf(origin, media, "media") + id;
      return context.redirect(signed(services, place, id, tokenSeconds), 302);
    }
    if (token !== null || !hasKey(context, data)) return context.body(null, 401);
    const withToken = `${placeOf(origin, media, "files")}${id}?fat=${signatureOf(id, "fat")}`;
    return context.json({ data: { url: withToken } });
  });
}

function placeIn(hostname: string, place: string) {
  const [, named] = /^(files|media)-[a-z]+\.cometchat\.io$/.exec(hostname) ?? [];
  if (named !== undefined) return { service: named, appId: place };
  const [, appId, service] = /^([a-z0-9_-]+)\.(files|media)-[a-z]+$/i.exec(place) ?? [];
  return appId === undefined ? undefined : { service, appId };
}

function hasKey(context: Context, data: Parameters<typeof requireApiKey>[0]) {
  try {
    requireApiKey(data, context.req.header("apikey"));
    return context.req.header("appid") === data.appId;
  } catch {
    return false;
  }
}

/** Sends a download, never a page. */
export function sendFile(file: StoredFile): Response {
  return new Response(Uint8Array.from(file.bytes), {
    headers: {
      "content-type": isPlain.test(file.mimeType) ? file.mimeType : "application/octet-stream",
      "content-length": String(file.bytes.byteLength),
      "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
      "content-security-policy": "sandbox",
      "x-content-type-options": "nosniff",
    },
  });
}

const isPlain = /^[\w.+-]+\/[\w.+-]+$/;

type StoredFile = { name: string; mimeType: string; bytes: Uint8Array };

export function getFile(data: AppData, id: string): StoredFile | undefined {
  const stored = getDocument<Omit<StoredFile, "bytes"> & { base64: string }>(data, fileKind, id);
  return stored && { ...stored, bytes: Buffer.from(stored.base64, "base64") };
}
