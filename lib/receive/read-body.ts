import { OwnError } from "../base/errors.ts";
import { MessageTooLargeError, maxQueueBytes } from "../queue/queued-event.ts";
import { beforeDeadline } from "./before-deadline.ts";

/** Thrown for an incomplete body; the sender may repeat the request. */
export class IncompleteBodyError extends OwnError {
  override readonly name = "IncompleteBodyError";
}

/**
 * @throws MessageTooLargeError above 1 MiB, declared or sent; IncompleteBodyError for another size than
 * declared, a body read before, or one that takes too long
 */
export async function readBody(request: Request, deadlineMs: number, now: () => number): Promise<Buffer> {
  if (request.bodyUsed) throw new IncompleteBodyError(alreadyRead);
  const declared = declaredBytes(request.headers);
  if (declared !== undefined && declared > maxQueueBytes) {
    throw new MessageTooLargeError("The declared body is too large.");
  }
  const bytes = request.body === null ? Buffer.alloc(0) : await collect(request.body, deadlineMs, now);
  if (declared !== undefined && declared !== bytes.length) {
    throw new IncompleteBodyError(`The body has ${bytes.length} bytes, but its header declares ${declared}.`);
  }
  return bytes;
}

const alreadyRead =
  "The body was read before the receiver got the request. Mount the receiver before a body parser, or pass a clone.";

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
    throw new IncompleteBodyError("The body did not arrive completely and in time.", { cause: error });
  }
}

/** Undefined without one, or if the host may have decompressed the body. */
function declaredBytes(headers: Headers): number | undefined {
  const declared = headers.get("content-length");
  const isPacked = (headers.get("content-encoding") ?? "identity") !== "identity";
  return declared === null || isPacked || !/^\d{1,15}$/.test(declared) ? undefined : Number(declared);
}
