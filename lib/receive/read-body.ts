import { OwnError } from "../base/own-error.ts";
import { MessageTooLargeError, maxQueueBytes } from "../queue/message-text.ts";
import { beforeDeadline } from "./before-deadline.ts";

/** The sender may send the request again. */
export class IncompleteBodyError extends OwnError {
  override readonly name = "IncompleteBodyError";
}

/**
 * @throws MessageTooLargeError above 1 MiB, declared or sent; IncompleteBodyError for another size than
 * declared, a body read before, or one that takes too long
 */
export async function readBody(request: Request, deadlineMs: number, now: () => number): Promise<Buffer> {
  if (request.bodyUsed) throw new IncompleteBodyError(alreadyRead);
  const said = saidBytes(request.headers);
  if (said !== undefined && said > maxQueueBytes) {
    throw new MessageTooLargeError("The body is too large by its own account.");
  }
  const bytes = request.body === null ? Buffer.alloc(0) : await collect(request.body, deadlineMs, now);
  if (said !== undefined && said !== bytes.length) {
    throw new IncompleteBodyError(`The body has ${bytes.length} bytes, and its header says ${said}.`);
  }
  return bytes;
}

const alreadyRead =
  "The body was read before the receiver got the request. Receive webhooks before a body parser does, or hand over a clone.";

async function collect(stream: ReadableStream<Uint8Array>, deadlineMs: number, now: () => number) {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await beforeDeadline(reader.read(), deadlineMs, now);
      if (done) return Buffer.concat(chunks);
      size += value.length;
      if (size > maxQueueBytes) throw new MessageTooLargeError("The body is too large.");
      chunks.push(value);
    }
  } catch (error) {
    reader.cancel().catch(() => undefined);
    if (error instanceof MessageTooLargeError) throw error;
    throw new IncompleteBodyError("The body did not come whole and in time.", { cause: error });
  }
}

/** Undefined if not declared, or if the host may have decompressed the body. */
function saidBytes(headers: Headers): number | undefined {
  const said = headers.get("content-length");
  const isPacked = (headers.get("content-encoding") ?? "identity") !== "identity";
  return said === null || isPacked || !/^\d{1,15}$/.test(said) ? undefined : Number(said);
}
