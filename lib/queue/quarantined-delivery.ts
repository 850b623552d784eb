import * as z from "zod/mini";
import { parseJson } from "../base/json.ts";
import { type Identity, identify } from "../events/identity.ts";
import { parseEvent } from "../events/parse-event.ts";
import type { HeldMessage } from "./held-queue.ts";
import { bytesOf, queuedBodySchema } from "./read-queued-event.ts";
import type { SetAside } from "./set-aside.ts";

export interface QuarantinedDelivery extends SetAside {
  /** The platform's; undefined for a message of another system. */
  readonly bytes: Buffer | undefined;
  /** Undefined while it cannot be parsed. */
  readonly identity: Identity | undefined;
}

const messageSchema = z.object({
  v: z.literal(1),
  appId: z.string(),
  reason: z.string(),
  problems: z.array(z.object({ path: z.string(), expected: z.string(), found: z.string() })),
  receivedAt: z.number(),
  ...queuedBodySchema.shape,
});

export function readQuarantined({ id, body, sentAt }: HeldMessage): QuarantinedDelivery {
  const parsed = messageSchema.safeParse(parseJson(body));
  if (!parsed.success) {
    const unknown = {
      appId: "",
      trigger: "",
      reason: "unknown",
      cause: "It is not a message of this system.",
    };
    return {
      id,
      ...unknown,
      deliveryKey: undefined,
      receivedAt: undefined,
      setAsideAt: sentAt,
      bytes: undefined,
      identity: undefined,
    };
  }

  const { appId, reason, problems, receivedAt, gzip, ...rest } = parsed.data;
  const bytes = bytesOf({ ...rest, ...(gzip && { gzip }) });
  const content = parseJson(bytes.toString("utf8"));
  const identity = identify(content, appId);
  return {
    id,
    appId,
    trigger: identity?.trigger ?? "",
    reason,
    cause: problems.map(({ path, expected, found }) => `${path}: ${expected}, not ${found}`).join("; "),
    deliveryKey: identity?.key,
    receivedAt,
    setAsideAt: sentAt,
    bytes,
    identity: parseEvent(content, { appId }).ok ? identity : undefined,
  };
}
