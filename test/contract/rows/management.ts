import { expect } from "vitest";
import { after, file, newWebhook, type World, webhook, withInput } from "../prepare.ts";
import { find, holding, idsOf, kept, pluck, type Rows, sent, succeeded } from "../row.ts";

const app = "local-app";
const tenant = {
  name: "N",
  email: "n@example.com",
  password: "pass-1234",
  appName: "A",
  appRegion: "us",
  contactNumber: "1",
};
const replies = "core.conversations.updateOnReplies";
/** Settings that are listed after they are set. */
const rare = {
  "core.conversations.updateOnCustomMessage": true,
  "core.notifications.push.accessible": true,
  "core.notifications.push.advanced.enabled": true,
  "core.notifications.push.advanced.included": ["preferences"],
};
const member = { email: "a@example.com", role: "admin" };

const withCertificate = () => ({ input: { certificate: file() } });
const certificatesAreSecret = "No operation tells which certificates there are.";
const team = ({ management }: World) => management.team.list(app);
/** Sorted: two apps may be made in one second. */
const appNames = async ({ management }: World) => (await pluck(management.apps.list(), "name")).toSorted();
const settings = ({ management }: World) => management.appSettings.get(app);
const triggers = ({ management }: World) => pluck(management.webhooks.listTriggers(app, "hook"), "id");

export const managementRows: Rows = {
  "create-app": {
    given: { input: { name: "Second", region: "eu" } },
    answers: sent,
    leaves: [appNames, ["Local App", "Second"]],
  },
  "list-apps": { answers: [{ id: app, name: "Local App", region: "us" }] },
  "delete-app": {
    answers: { ...succeeded, scheduledToDeleteAt: expect.any(Number) },
    traceless: "The local platform notes the time and goes on; no operation shows it.",
  },
  "fetch-multi-tenant-usage": {
    answers: { ...succeeded, message: expect.stringContaining(app) },
    traceless: "What it asks for comes by e-mail.",
  },
  "add-tenant": {
    given: { input: tenant },
    answers: { name: "N", email: "n@example.com", app: { name: "A", region: "us" } },
    leaves: [appNames, ["A", "Local App"]],
  },
  "list-collaborators": {
    given: after(({ management }) => management.team.change(app, { admins: [member.email] })),
    answers: [member],
  },
  "add-collaborator": {
    given: { input: { admins: [member.email] } },
    answers: { admins: { [member.email]: succeeded } },
    leaves: [(world) => pluck(team(world), "email"), [member.email]],
  },
  "list-settings": {
    given: after(({ management }) => management.appSettings.set(app, { settings: rare })),
    answers: { ...rare, [replies]: true, "core.notifications.push.enabled": false },
  },
  "map-settings": {
    given: { input: { settings: { [replies]: false } } },
    answers: { [replies]: succeeded },
    leaves: [async (world) => (await settings(world))[replies] as boolean, false],
  },
  "unmap-settings": {
    given: after(({ management }) => management.appSettings.set(app, { settings: { [replies]: false } })),
    answers: succeeded,
    leaves: [async (world) => (await settings(world))[replies] as boolean, true],
  },
  ...kept({
    ids: idsOf("webhook"),
    list: ({ management }) => management.webhooks.list(app),
    make: newWebhook,
    shown: webhook,
    change: { enabled: true },
  }),
  "add-triggers": {
    given: withInput(newWebhook, { triggerIds: ["user_blocked"] }),
    answers: { user_blocked: succeeded },
    leaves: [triggers, ["message_sent", "user_blocked"]],
  },
  "list-triggers": { given: newWebhook, answers: [{ id: "message_sent" }] },
  "remove-triggers": {
    given: withInput(newWebhook, { triggerIds: ["message_sent"] }),
    answers: succeeded,
    leaves: [triggers, []],
  },
  "enable-extension": {
    given: { input: { enabled: ["polls"], disabled: ["mentions"] } },
    answers: { enabled: { polls: { ...succeeded, message: expect.stringContaining("polls") } } },
    leaves: [
      ({ management }) => find(management.extensions.list(app, { perPage: 100 }), "id", "polls"),
      { isActive: true },
    ],
  },
  "list-extensions": {
    answers: holding({ id: "avatar", isActive: false }),
  },
  "upload-push-notification-certificate-p12": {
    given: withCertificate,
    answers: { ...succeeded, body: { certificate_p12: true } },
    traceless: certificatesAreSecret,
  },
  "upload-push-notification-certificate-p8": {
    given: withCertificate,
    answers: succeeded,
    traceless: certificatesAreSecret,
  },
  "query-push-notification-certificates": { answers: { ...succeeded, statusCode: 200 } },
};
