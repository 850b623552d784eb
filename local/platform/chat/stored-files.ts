import type { AppData } from "../store/database.ts";
import { getDocument } from "../store/documents.ts";
import { fileKind } from "../store/message-files.ts";

export type StoredFile = { name: string; mimeType: string; bytes: Uint8Array };

export function getFile(data: AppData, id: string): StoredFile | undefined {
  const stored = getDocument<Omit<StoredFile, "bytes"> & { base64: string }>(data, fileKind, id);
  return stored && { ...stored, bytes: Buffer.from(stored.base64, "base64") };
}
