import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";

/** The raw answer. */
export interface RawAnswer {
  readonly status: number;
  /** Names in lower case, in the order of the answer. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** Sends a request byte for byte, without a client's corrections, and reads until the connection ends. */
export async function sendRaw(url: string, parts: readonly (string | Uint8Array)[]): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  for (const part of parts) socket.write(part);
  const [head = "", ...rest] = (await text(socket)).split("\r\n\r\n");
  const [line = "", ...lines] = head.split("\r\n");
  return {
    status: Number(line.split(" ")[1]),
    headers: lines.map((one) => {
      const at = one.indexOf(":");
      return [one.slice(0, at).toLowerCase(), one.slice(at + 1).trim()] as const;
    }),
    body: rest.join("\r\n\r\n"),
  };
}

/** Writes a request's head; the connection ends after its answer. */
export function rawHead(line: string, headers: readonly string[] = []): string {
  return [`${line} HTTP/1.1`, "Host: 127.0.0.1", "Connection: close", ...headers, "", ""].join("\r\n");
}
