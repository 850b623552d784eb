import type { Database } from "./database.ts";
import { deleteDocument, getDocument, putDocument } from "./documents.ts";

/** A file that came with a message. */
export type StoredFile = { name: string; mimeType: string; bytes: Uint8Array };

/** Stores a file under an id that the caller made. */
export function putFile(
  db: Database,
  appId: string,
  id: string,
  { name, mimeType, bytes }: StoredFile,
): void {
  putDocument(db, appId, kind, id, { name, mimeType, base64: Buffer.from(bytes).toString("base64") });
}

/** Reads a file, or undefined. */
export function getFile(db: Database, appId: string, id: string): StoredFile | undefined {
  const stored = getDocument(db, appId, kind, id);
  if (stored === undefined) return undefined;
  const { name, mimeType, base64 } = stored;
  return { name: String(name), mimeType: String(mimeType), bytes: Buffer.from(String(base64), "base64") };
}

/** Deletes a file. */
export function deleteFile(db: Database, appId: string, id: string): void {
  deleteDocument(db, appId, kind, id);
}

const kind = "message-file";
