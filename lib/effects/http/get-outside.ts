import { streamOf } from "../../base/http/stream-of.ts";
import { lazy } from "../../base/lazy.ts";
import { withResolvers } from "../../base/on-node-20.ts";
import { AttachmentError, type FileAnswer } from "./attachment-error.ts";
import { createIsOpenAddress } from "./public-address.ts";
import { ClosedAddress, headersOf, openRequest } from "./send-outside.ts";

const isOpenAddress = /* @__PURE__ */ lazy(() => createIsOpenAddress([]));

/** Gets a file. Checks the IP address on connecting, which prevents DNS rebinding. */
export function getOutside(url: URL, signal: AbortSignal): Promise<FileAnswer> {
  const { promise, resolve, reject } = withResolvers<FileAnswer>();
  const request = openRequest(
    { method: "GET", url, headers: {}, body: undefined },
    { isOpenAddress: isOpenAddress() },
  );
  const abort = () => request.destroy(new Error("aborted"));
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  request.on("close", () => signal.removeEventListener("abort", abort));
  request.on("error", (error) => {
    const isClosed = error instanceof ClosedAddress;
    reject(isClosed ? new AttachmentError("NOT_ALLOWED", "its host has no public address") : error);
  });
  request.on("response", (response) => {
    const body = streamOf(response, () => void request.destroy());
    resolve({ status: response.statusCode ?? 0, headers: headersOf(response), body });
  });
  request.end();
  return promise;
}
