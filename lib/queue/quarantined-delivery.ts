import * as z from "zod/mini";
import { parseJson } from "../base/json.ts";
import { identify } from "../events/identity.ts";
import { parseEvent } from "../events/parse-event.ts";
import { describeProblems } from "../events/problems.ts";
import { createEnqueue } from "./enqueue.ts";
import type { HeldMessage } from "./held-queue.ts";
import { type OperatorServices, withOperatorTimeouts } from "./operator-services.ts";
import { bytesOf, queuedBodySchema } from "./read-queued-event.ts";
import type { SetAside } from "./set-aside.ts";
import { createSetAsideQueue, type ReplayItem } from "./set-aside-queue.ts";

/** Replays what can be parsed by now, with the original time of receipt. The rest stays. */
export const quarantinedDeliveries = /* @__PURE__ */ createSetAsideQueue<SetAside>({
  queue: "quarantine",
  read: readQuarantined,
  mayHideOthers: () => false,
  prepare: prepareDelivery,
});

const messageSchema = z.object({
  v: z.literal(1),
  appId: z.string(),
  reason: z.string(),
  problems: z.array(z.object({ path: z.string(), expected: z.string(), found: z.string() })),
  receivedAt: z.number(),
  ...queuedBodySchema.shape,
});

/** Omits the delivery: a whole queue of them would not fit into memory. */
export function readQuarantined({ id, body, sentAt: setAsideAt }: HeldMessage): SetAside {
  const read = readMessage(body);
  if (read === undefined) {
    return {
      id,
      appId: "",
      trigger: "",
      reason: "unknown",
      cause: "It is not a message of this system.",
      deliveryKey: undefined,
      receivedAt: undefined,
      setAsideAt,
    };
  }
  const { appId, reason, problems, receivedAt, identity } = read;
  return {
    id,
    appId,
    reason,
    receivedAt,
    setAsideAt,
    trigger: identity?.trigger ?? "",
    cause: describeProblems(problems),
    deliveryKey: identity?.key,
  };
}

function prepareDelivery(
  { body }: HeldMessage,
  _: SetAside,
  { callAws, queueUrls }: OperatorServices,
): ReplayItem | undefined {
  const read = readMessage(body);
  if (read?.identity === undefined || !parseEvent(read.content, { appId: read.appId }).ok) return undefined;
  const { appId, bytes, receivedAt, identity } = read;
  const enqueue = createEnqueue(withOperatorTimeouts(callAws), queueUrls.events);
  return { lane: identity.lane, send: (replay) => enqueue({ appId, bytes, receivedAt, replay }, identity) };
}

/** @returns undefined for a message of another system */
function readMessage(body: string) {
  const { data } = messageSchema.safeParse(parseJson(body));
  if (data === undefined) return undefined;
  const bytes = bytesOf(data);
  const content = parseJson(bytes.toString("utf8"));
  return { ...data, bytes, content, identity: identify(content, data.appId) };
}
