import type { AnswerHeaders } from "./lean-fetch.ts";

/** The parts of an answer other than its data. */
export interface ChatResponse {
  /** The HTTP status. Undefined only if `alreadyDone` found the result of an earlier try. */
  readonly status: number | undefined;
  /** Names are case-insensitive. */
  readonly headers: AnswerHeaders;
  /** The request id header, if any. */
  readonly requestId: string | undefined;
}

/** Data with status, headers and request id. */
export interface Answered<T> {
  readonly data: T;
  readonly response: ChatResponse;
}

/**
 * A promise of the data. The call sends the request once, however often it is awaited. Rejects with
 * InvalidInputError if nothing was sent, ChatApiError if the platform refused (`code` lists every operation's
 * codes), ChatUnreachableError without a usable answer.
 */
export interface ChatRequest<T> extends Promise<T> {
  /**
   * Adds status, headers and request id. Rejects like the promise.
   * @example const { data, response } = await chat.users.get("alice").withResponse();
   */
  withResponse(): Promise<Answered<T>>;
}

export const noResponse: ChatResponse = {
  status: undefined,
  headers: { get: () => null },
  requestId: undefined,
};

/** Rejects unhandled only if neither the promise nor `withResponse` is handled. */
export function chatRequest<T>(answered: Promise<Answered<T>>): ChatRequest<T> {
  const data = answered.then((both) => both.data);
  return Object.assign(data, {
    withResponse: () => {
      // `withResponse` reports the failure.
      data.catch(() => undefined);
      return answered.then((both) => both);
    },
  });
}
