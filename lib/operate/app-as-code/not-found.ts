import { ChatApiError } from "../../chat/errors.ts";

/** Undefined if the platform answers with this code. */
export async function unlessMissing<T>(code: string, request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof ChatApiError && error.code === code) return undefined;
    throw error;
  }
}
