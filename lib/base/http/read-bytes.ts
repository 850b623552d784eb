import type { IncomingMessage } from "node:http";

/** Returns undefined for more bytes than `most`. */
export function readBytes(
  response: IncomingMessage,
  most = Number.POSITIVE_INFINITY,
): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    response.on("data", (chunk: Buffer) => {
      bytes += chunk.byteLength;
      if (bytes > most) resolve(undefined);
      else chunks.push(chunk);
    });
    response.on("error", reject);
    response.on("end", () => resolve(Buffer.concat(chunks)));
  });
}
