import type { AnswerHeaders } from "./lean-fetch.ts";

/** What came with the data. */
export interface ChatResponse {
  /** HTTP status; undefined only where `alreadyDone` found what an earlier try had done, and no answer says it. */
  readonly status: number | undefined;
  /** Of the answer. Names may be written in any case. */
  readonly headers: AnswerHeaders;
  /** The answer's request id header, if it has one. */
  readonly requestId: string | undefined;
}

/** Data, and what came with it. */
export interface Answered<T> {
  readonly data: T;
  readonly response: ChatResponse;
}

/**
 * A request under way: the promise of its data. It was begun by the call that gave it, and is sent once however often it is asked.
 * Rejects with InvalidInputError where nothing was sent, ChatApiError where the platform refused (its `code` tells which codes any
 * operation may have), ChatUnreachableError where no usable answer came.
 */
export interface ChatRequest<T> extends Promise<T> {
  /**
   * Gives status, headers and request id beside the data; rejects as the promise itself does.
   * @example const { data, response } = await chat.users.get("alice").withResponse();
   */
  withResponse(): Promise<Answered<T>>;
}

/** What an answer without an HTTP answer comes with. */
export const noResponse: ChatResponse = {
  status: undefined,
  headers: { get: () => null },
  requestId: undefined,
};

/** Makes a request's promise out of that of everything it came to. A failure is unhandled only where nobody handles it. */
export function chatRequest<T>(answered: Promise<Answered<T>>): ChatRequest<T> {
  const data = answered.then((both) => both.data);
  return Object.assign(data, {
    withResponse: () => {
      // Whoever asks for both has the failure from there.
      data.catch(() => undefined);
      return answered.then((both) => both);
    },
  });
}
