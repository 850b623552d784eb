import { randomBytes } from "node:crypto";
import { badRequest } from "../errors/platform-error.ts";
import { readForm } from "../http/fields.ts";
import type { AppRequest } from "../http/route.ts";
import { isJsonObject, type JsonObject, readJson } from "../json.ts";
import { deleteFile, putFile } from "../store/files.ts";

/**
 * Sends a message that came as a form like one that came as JSON: its files are kept and become attachments. No page
 * describes such a form; here its fields have the names of the JSON body's, and objects and lists are JSON (assumed).
 * @throws PlatformError what `send` throws, and then keeps no file; ERR_BAD_REQUEST for a form that cannot be read
 */
export async function withFormFiles<T>(
  request: AppRequest,
  send: (request: AppRequest) => Promise<T>,
): Promise<T> {
  if (!request.contentType.toLowerCase().startsWith("multipart/form-data")) return await send(request);
  // 100 MB a message, its body included (docs/platform/ids-and-limits.md#size-of-messages).
  if (request.rawBody.length > maxBytes)
    throw badRequest({ file: "A message may not be greater than 100 MB." });
  const form = await readForm(request);
  const files = [...form.values()].filter((value) => typeof value !== "string");
  const ids = files.map(() => randomBytes(12).toString("hex"));
  const body = bodyOf(form);
  const attachments = await Promise.all(files.map((file, index) => keep(request, file, ids[index] ?? "")));
  try {
    return await send({ ...request, body: withAttachments(body, attachments) });
  } catch (error) {
    for (const id of ids) deleteFile(request, id);
    throw error;
  }
}

function bodyOf(form: FormData): JsonObject {
  const texts = [...form].filter((entry) => typeof entry[1] === "string");
  return Object.fromEntries(texts.map(([field, value]) => [field, readField(field, String(value))]));
}

function readField(field: string, value: string): unknown {
  if (!structured.includes(field)) return value;
  const parsed = readJson(value);
  if (parsed === undefined) throw badRequest({ [field]: `The ${field} of a form must be JSON.` });
  return parsed;
}

async function keep(request: AppRequest, file: File, id: string): Promise<JsonObject> {
  const { name } = file;
  const mimeType = file.type || "application/octet-stream";
  putFile(request, id, {
    name,
    mimeType,
    bytes: new Uint8Array(await file.arrayBuffer()),
  });
  const dot = name.lastIndexOf(".");
  return {
    url: `${request.origin}/_platform/apps/${request.appId}/files/${id}/${encodeURIComponent(name)}`,
    name,
    mimeType,
    extension: dot === -1 ? "" : name.slice(dot + 1),
    size: file.size,
  };
}

// A file without a type makes a message of what it is.
function withAttachments(body: JsonObject, attachments: JsonObject[]): JsonObject {
  const [first] = attachments;
  if (first === undefined) return body;
  const data = body.data ?? {};
  const kind = String(first.mimeType).split("/")[0] ?? "";
  return {
    type: ["image", "audio", "video"].includes(kind) ? kind : "file",
    ...body,
    data: isJsonObject(data) ? { ...data, attachments: [...sentAttachments(data), ...attachments] } : data,
  };
}

function sentAttachments({ attachments }: JsonObject): unknown[] {
  return Array.isArray(attachments) ? attachments : [];
}

const structured = ["data", "tags", "multipleReceivers"];
const maxBytes = 100 * 1_024 * 1_024;
