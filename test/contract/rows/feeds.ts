import { acting, after, type World, withInput } from "../prepare.ts";
import { feedItem, newTemplate, notified, pushItem, sentCampaign } from "../prepare-campaigns.ts";
import { type Called, named, pluck, type Row, type Rows } from "../row.ts";

const clicked = { topic: "clicked" };
const inFeed = { receiver: "alice", channelType: "in_app", templateId: "hello", content: { body: "hi" } };
const pushed = { receiver: "alice", channelType: "push", templateId: "hello" };
const nothing = { delivered: 0, viewed: 0, clicked: 0, interacted: 0 };

const theItem = ({ chat }: World, { path }: Called) => chat.notificationFeed.get(path("id"), {}, acting);
const thePush = ({ chat }: World, { path }: Called) => chat.pushNotifications.get(path("id"), acting);

const ofFeed = { given: feedItem, item: inFeed, look: theItem };
const ofPush = { given: pushItem, item: pushed, look: thePush };
type Kind = typeof ofFeed | typeof ofPush;
const marks = (status: string, { given, item, look }: Kind): Row => ({
  given,
  answers: named({ ...item, status }),
  leaves: [look, { status }],
});
const engages = ({ given, item, look }: Kind): Row => ({
  given: withInput(given, clicked),
  answers: named({ ...item, ...clicked }),
  leaves: [look, clicked],
});

export const feedRows: Rows = {
  NotificationSendController_send: {
    given: after(newTemplate, { input: { templateId: "hello", receivers: ["alice"] } }),
    answers: { channels: ["in_app", "push"], mode: "realtime" },
    leaves: [({ chat }) => pluck(chat.notificationFeed.list({}, acting), "receiver"), ["alice"]],
  },
  NotificationFeedController_findFeed: {
    given: after(notified, acting),
    answers: [inFeed],
  },
  NotificationFeedController_getUnreadCount: {
    given: after(notified, { input: { templateCategory: "Alerts" }, ...acting }),
    answers: { count: 1 },
  },
  NotificationFeedController_findById: { given: feedItem, answers: named({ ...inFeed, status: "sent" }) },
  NotificationFeedController_delete: {
    given: async (world) => ({ path: (await feedItem(world)).path ?? {} }),
    leaves: [({ chat }) => pluck(chat.notificationFeed.list({}, acting), "id"), []],
  },
  NotificationFeedController_markAsRead: marks("read", ofFeed),
  NotificationFeedController_markAsDelivered: marks("delivered", ofFeed),
  NotificationFeedController_reportEngagement: engages(ofFeed),
  PushNotificationsController_findByReceiver: {
    given: after(notified, { input: { limit: 5 }, ...acting }),
    answers: [pushed],
  },
  PushNotificationsController_findById: { given: pushItem, answers: named({ ...pushed, status: "sent" }) },
  PushNotificationsController_markDelivered: marks("delivered", ofPush),
  PushNotificationsController_markClicked: marks("clicked", ofPush),
  PushNotificationsController_reportEngagement: engages(ofPush),
  AnalyticsController_getOverview: { given: notified, answers: { ...nothing, sent: 2 } },
  AnalyticsController_getCampaignAnalytics: {
    given: sentCampaign,
    answers: ({ path }) => ({ ...nothing, campaignId: path("campaignId"), sent: 2 }),
  },
  AnalyticsController_getTemplateAnalytics: {
    given: after(notified, { path: { templateId: "hello" } }),
    answers: { ...nothing, templateId: "hello", sent: 2 },
  },
  AnalyticsController_getChannelBreakdown: {
    given: notified,
    answers: [
      { channelType: "in_app", sent: 1 },
      { channelType: "push", sent: 1 },
    ],
  },
  AnalyticsController_getUserInsights: {
    given: async (world) => {
      const { path = {} } = await feedItem(world);
      await world.chat.notificationFeed.markRead(path.id ?? "", acting);
      return { path: { userId: "alice" } };
    },
    answers: { viewed: 1, clicked: 0, interacted: 0 },
  },
};
