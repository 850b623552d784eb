import { ChatApiError } from "../../chat/errors.ts";

/** Gives what a request answers, or undefined where the platform says by this code that the thing is not there. */
export async function unlessMissing<T>(code: string, request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof ChatApiError && error.code === code) return undefined;
    throw error;
  }
}
