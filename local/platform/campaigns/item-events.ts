import type { AppRequest } from "../http/route.ts";
import type { JsonObject } from "../json.ts";

/**
 * Emits what happened to an item of a feed or a push notification, in the shape of its event.
 * @see docs/platform/events.md#campaign-events, docs/platform/events.md#feed-items-live
 */
export function emitItem(request: AppRequest, trigger: ItemTrigger, item: JsonObject): void {
  const { createdAt: _created, updatedAt: _updated, deletedAt: _deleted, ...known } = item;
  request.outbox.emit(request.app, trigger, shapes[trigger](request, known));
}

type ItemTrigger = keyof typeof shapes;

const shapes = {
  after_feed_item_sent: sentForm,
  after_feed_item_delivered: deliveredForm,
  after_feed_item_read: withoutContent,
  after_feed_item_interacted: interactedForm,
  after_push_notification_sent: pushForm,
  after_push_notification_delivered: pushForm,
  after_push_notification_clicked: pushForm,
} satisfies Record<string, (request: AppRequest, item: JsonObject) => JsonObject>;

function sentForm(_call: AppRequest, { variables: _variables, metadata: _metadata, ...shown }: JsonObject) {
  return shown;
}

function deliveredForm(request: AppRequest, item: JsonObject): JsonObject {
  const { variables: _variables, metadata: _metadata, ...shown } = withoutContent(request, item);
  return shown;
}

// Live the item keeps its status and names the interaction; the pages print it as read, with another time.
function interactedForm(request: AppRequest, item: JsonObject): JsonObject {
  const shown = withoutContent(request, item);
  if (request.switches.feedItemForm === "live") return shown;
  const { engagedAt, topic: _topic, ...rest } = shown;
  return { ...rest, status: "read", interactedAt: engagedAt };
}

function withoutContent(_call: AppRequest, { content: _content, ...shown }: JsonObject): JsonObject {
  return shown;
}

function pushForm(_call: AppRequest, { id, topic: _topic, ...shown }: JsonObject): JsonObject {
  return { pushNotificationId: id, ...shown };
}
