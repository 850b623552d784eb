import type { Item } from "../../aws/table.ts";
import type { LaneRecord } from "./lane-record.ts";

export type Pack = Item;

/** A table item has at most 400 KB including names; a queue's message up to 1 MiB. */
const maxPartBytes = 350_000;

/** Splits an event into items: one, unless it is large and does not compress. */
export function packEvent(record: LaneRecord): readonly Pack[] {
  const { messageId, messageBody, replayedAt, finished, ignoresAge } = record;
  const facts = {
    messageId,
    ...(replayedAt !== undefined && { replayedAt }),
    ...(finished && { finished: [...finished] }),
    ...(ignoresAge && { ignoresAge }),
  };
  if (Buffer.byteLength(messageBody) <= maxPartBytes) return [{ ...facts, parts: 1, messageBody }];

  const { gzipSync } = process.getBuiltinModule("node:zlib");
  const bytes = gzipSync(messageBody);
  const count = Math.ceil(bytes.length / maxPartBytes);
  return Array.from({ length: count }, (_, part) => {
    const share = bytes.subarray(part * maxPartBytes, (part + 1) * maxPartBytes);
    return { ...(part === 0 && facts), parts: count, bytes: new Uint8Array(share) };
  });
}

/** Joins the parts of an event; undefined if one is missing. */
export function unpackEvent(sequence: string, parts: readonly Pack[]): LaneRecord | undefined {
  const [first] = parts;
  if (first === undefined || typeof first.messageId !== "string" || first.parts !== parts.length)
    return undefined;
  const { messageId, replayedAt, finished, ignoresAge } = first;
  const facts = {
    messageId,
    sequence,
    ...(typeof replayedAt === "number" && { replayedAt }),
    ...(Array.isArray(finished) && { finished: finished.map(String) }),
    ...(ignoresAge === true && { ignoresAge }),
  };
  if (typeof first.messageBody === "string") return { ...facts, messageBody: first.messageBody };

  const shares = parts.flatMap(({ bytes }) => (bytes instanceof Uint8Array ? [bytes] : []));
  const { gunzipSync } = process.getBuiltinModule("node:zlib");
  return { ...facts, messageBody: gunzipSync(Buffer.concat(shares)).toString("utf8") };
}
