import type { AnswerHeaders } from "./lean-fetch.ts";

/** The parts of an answer other than its data. */
export interface ChatResponse {
  /** HTTP status; undefined only if `alreadyDone` found the result of an earlier try. */
  readonly status: number | undefined;
  /** The answer's headers. Names are case-insensitive. */
  readonly headers: AnswerHeaders;
  /** The answer's request id header, if it has one. */
  readonly requestId: string | undefined;
}

/** Data with status, headers and request id. */
export interface Answered<T> {
  readonly data: T;
  readonly response: ChatResponse;
}

/**
 * A promise of the data of a request in progress. The call that returned it sent the request, once, however
 * often the promise is awaited. Rejects with InvalidInputError if nothing was sent, ChatApiError if the
 * platform refused (see `code` for the codes of any operation), ChatUnreachableError if there was no usable
 * answer.
 */
export interface ChatRequest<T> extends Promise<T> {
  /**
   * Returns status, headers and request id together with the data. Rejects like the promise itself.
   * @example const { data, response } = await chat.users.get("alice").withResponse();
   */
  withResponse(): Promise<Answered<T>>;
}

export const noResponse: ChatResponse = {
  status: undefined,
  headers: { get: () => null },
  requestId: undefined,
};

/**
 * Creates a request's promise. A failure counts as unhandled only if neither the promise nor `withResponse`
 * handles it.
 */
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
