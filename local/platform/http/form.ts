import { badRequest } from "../errors/failures.ts";
import type { SentBody } from "./route.ts";

/** Reads a multipart form. @throws PlatformError ERR_BAD_REQUEST when the body is none */
export async function readForm({ rawBody, contentType }: SentBody): Promise<FormData> {
  try {
    return await new Response(rawBody.slice(), { headers: { "content-type": contentType } }).formData();
  } catch {
    throw badRequest({ body: "The body must be multipart/form-data." });
  }
}

/** Gives the file that a form has under a name. */
export function fileOf(form: FormData, name: string): File | undefined {
  const value = form.get(name);
  return value === null || typeof value === "string" ? undefined : value;
}
