import type { AppData } from "./database.ts";
import { deleteDocument, getDocument, putDocument } from "./documents.ts";

/** A file that came with a message. */
export type StoredFile = { name: string; mimeType: string; bytes: Uint8Array };

/** Stores a file under an id that the caller made. */
export function putFile(data: AppData, id: string, { name, mimeType, bytes }: StoredFile): void {
  putDocument(data, kind, id, { name, mimeType, base64: Buffer.from(bytes).toString("base64") });
}

/** Reads a file, or undefined. */
export function getFile(data: AppData, id: string): StoredFile | undefined {
  const stored = getDocument(data, kind, id);
  if (stored === undefined) return undefined;
  const { name, mimeType, base64 } = stored;
  return { name: String(name), mimeType: String(mimeType), bytes: Buffer.from(String(base64), "base64") };
}

/** Deletes a file. */
export function deleteFile(data: AppData, id: string): void {
  deleteDocument(data, kind, id);
}

const kind = "message-file";
