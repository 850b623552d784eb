import { effectKey, triggerKey } from "../../../lib/effects/ledger.ts";
import { identify } from "../../../lib/events/identity.ts";
import { effectTagOf } from "../../../lib/events/marks/automatic.ts";
import type { LocalStack } from "../../../local/stack/local-stack.ts";
import { callApp } from "../../helpers/call-app.ts";

/** The mark of the automatic reply to a delivery. */
export function replyTagOf(body: string): string {
  const appId = "local-app";
  const occurrenceKey = identify(JSON.parse(body), appId)?.key ?? "";
  return effectTagOf(effectKey(triggerKey({ appId, occurrenceKey, triggerName: "auto-reply" }), "reply"));
}

/** The marks of the replies to each user, in the order in which they were sent. */
export async function repliesOf(world: LocalStack): Promise<ReadonlyMap<string, readonly string[]>> {
  const { data } = await callApp(world, "GET /messages?sender=support&withTags=true&limit=1000");
  const sent = Map.groupBy(
    (data as { id: string; receiver: string; tags: string[] }[]).toSorted(
      (one, other) => Number(one.id) - Number(other.id),
    ),
    ({ receiver }) => receiver,
  );
  return new Map(
    [...sent].map(([receiver, messages]) => [
      receiver,
      messages.map(({ tags }) => tags.find((tag) => tag.startsWith("effect-")) ?? "unmarked"),
    ]),
  );
}
