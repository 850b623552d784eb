import type { AttachmentsOptions } from "./attachments.ts";

type FetchFile = NonNullable<AttachmentsOptions["fetch"]>;

/**
 * Makes the attempt wait for `files` while a response or its next part is awaited, and from a failure to the
 * next success.
 */
export function watchFiles(fetchFile: FetchFile, waitsFor: Set<string>): FetchFile {
  let awaited = 0;
  const wait = async <T>(work: () => Promise<T>): Promise<T> => {
    awaited += 1;
    waitsFor.add("files");
    const result = await work().finally(() => {
      awaited -= 1;
    });
    if (awaited === 0) waitsFor.delete("files");
    return result;
  };
  return async (url, init) => {
    const response = await wait(() => fetchFile(url, init));
    const { body, status, headers } = response;
    if (body === null) return response;
    const reader = body.getReader();
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
      const { done, value } = await wait(() => reader.read());
      if (done) controller.close();
      else controller.enqueue(value);
    };
    const watched = new ReadableStream(
      { pull, cancel: (reason) => reader.cancel(reason) },
      { highWaterMark: 0 },
    );
    return new Response(watched, { status, headers });
  };
}
