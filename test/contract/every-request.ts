import type { ExtensionId } from "../../lib/chat/management/extension-settings.ts";
import { createManagementClient } from "../../lib/chat/management/management-client.ts";
import { ownOperations } from "../../local/platform/catalogue/catalogue.ts";
import type { CatalogueOperation } from "../../local/platform/catalogue/operations.ts";
import type { Platform } from "../../local/platform/create-platform.ts";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import { clientMethods, settingsOperationFor } from "./client-operations.ts";
import { settingsFor } from "./extension-samples.ts";
import { call, localWorld, prepareRow } from "./perform.ts";
import { rows } from "./rows.ts";

/** A request as sent. */
export interface SentRequest {
  method: string;
  url: URL;
  headers: Headers;
  /** Parsed JSON, a form, or nothing. */
  body: Record<string, unknown> | FormData | undefined;
}

/** An answer as received; `json` is undefined if it is empty. */
export interface RawAnswer {
  status: number;
  json: Json | undefined;
}

type Json = ReturnType<typeof JSON.parse>;

/** Prepares a platform for an operation without calling it, and returns a valid request. */
export type MakeRequest = (platform: Platform) => Promise<SentRequest>;

/** Returns a request for each operation of the catalogue that is not deprecated. */
export function everyRequest(): (readonly [id: string, CatalogueOperation, MakeRequest])[] {
  return ownOperations().map((operation) => [operation.id, operation, requestOf(operation)] as const);
}

/** Sends a request. */
export async function sendRaw({ method, url, headers, body }: SentRequest): Promise<RawAnswer> {
  const asForm = body === undefined || body instanceof FormData;
  const response = await fetch(url, {
    method,
    headers: new Headers([...headers].filter(([name]) => !asForm || name !== "content-type")),
    ...(body === undefined ? {} : { body: asForm ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, json: text === "" ? undefined : JSON.parse(text) };
}

const methods = new Map(clientMethods().map((method) => [method.operation.id, method]));

function requestOf(operation: CatalogueOperation): MakeRequest {
  if (settingsOperationFor(operation.method, operation.path)) return settingsRequest(operation);
  const method = methods.get(operation.id);
  if (method === undefined) throw new Error(`The clients have no operation ${operation.id}.`);
  return async (platform) => {
    const sample = await prepareRow(rows[operation.id] ?? {}, localWorld(platform));
    return await hold((send) => call(localWorld(platform, send), method, sample));
  };
}

/** An extension's settings: stored before they are changed, read or removed. */
function settingsRequest({ method, path }: CatalogueOperation): MakeRequest {
  const extension = path.split("/")[4] as ExtensionId;
  const isUpdated = extension === "data-masking" || extension === "stickers";
  return async (platform) => {
    const calls = settingsCalls(platform, fetch);
    const settings = settingsFor(extension);
    const put = isUpdated ? calls.update : calls.store;
    const isPrepared = method !== "POST" && !(isUpdated && method === "PUT");
    const stored = isPrepared ? await put("local-app", extension, settings) : {};
    const chosen = "widgetId" in stored ? { widgetId: stored.widgetId } : {};
    return await hold((send) => {
      const held = settingsCalls(platform, send);
      if (method === "GET") return held.get("local-app", extension);
      if (method === "DELETE") return held.delete("local-app", extension);
      const write = method === "POST" ? held.store : held.update;
      return write("local-app", extension, { ...settings, ...chosen });
    });
  };
}

type SettingsCalls = Record<
  "store" | "update" | "get" | "delete",
  (appId: string, id: string, settings?: object) => Promise<object>
>;

function settingsCalls(platform: Platform, send: typeof fetch): SettingsCalls {
  const { management: credentials } = defaultSeed;
  const client = createManagementClient({ credentials, baseUrl: platform.managementUrl, fetch: send });
  return client.extensionSettings as unknown as SettingsCalls;
}

/** Returns the request of a client without sending it. */
async function hold(act: (send: typeof fetch) => Promise<unknown>): Promise<SentRequest> {
  let held: Request | undefined;
  const send: typeof fetch = async (input, init) => {
    held = new Request(input, init);
    return Response.json({ error: { code: "ERR_BAD_REQUEST", message: "Held back." } }, { status: 400 });
  };
  await act(send).catch(() => undefined);
  if (held === undefined) throw new Error("Nothing was sent.");
  const isForm = held.headers.get("content-type")?.startsWith("multipart/") === true;
  return {
    method: held.method,
    url: new URL(held.url),
    headers: held.headers,
    body: isForm ? await held.formData() : toJson(await held.text()),
  };
}

function toJson(text: string): Record<string, unknown> | undefined {
  return text === "" ? undefined : JSON.parse(text);
}
