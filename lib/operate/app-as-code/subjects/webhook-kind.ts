import { unlessMissing } from "../../../chat/is-code.ts";
import type { Webhook, WebhooksClient } from "../../../chat/types/webhooks.ts";
import { requireSuccesses } from "../item-results.ts";
import { memberChanges } from "../members.ts";
import { pickFields } from "../pick-fields.ts";
import type { AppApis, FoundThing, Kind } from "../thing.ts";

const shownFields = [
  "name",
  "webhookURL",
  "enabled",
  "retryOnFailure",
  "useBasicAuth",
  "username",
  "password",
];

/**
 * Whether `enabled`, `retryOnFailure` and the credentials are returned is not documented
 * (docs/internals/platform/management.md#webhooks). Credentials are written once: a rotation changes them.
 */
export const webhookKind: Kind = {
  name: "webhook",
  rules: {
    enabled: { isSilent: true },
    retryOnFailure: { isSilent: true },
    useBasicAuth: { isSilent: true, isOnce: true },
    username: { isSilent: true, isOnce: true },
    password: { isSilent: true, isOnce: true },
    triggers: { list: "members" },
  },
  required: ["webhookURL", "triggers"],
  address: "webhookURL",
  hasSecrets: true,
  connect: ({ management, appId, request }) => {
    if (management === undefined) return undefined;
    const calls: WebhookCalls = management.webhooks;
    const read = async (webhook: Webhook): Promise<FoundThing> => {
      const listed = await Array.fromAsync(calls.listTriggers(appId, webhook.id, request), ({ id }) => id);
      const triggers = listed.length === 0 ? {} : { triggers: listed.toSorted() };
      return { id: webhook.id, fields: { ...pickFields(webhook, shownFields), ...triggers } };
    };
    const subscribe = async (id: string, wanted: unknown, there: unknown) => {
      const { added, gone } = memberChanges(wanted, there);
      if (added.length > 0) {
        requireSuccesses("triggers", await calls.addTriggers(appId, id, { triggerIds: added }, request));
      }
      if (gone.length > 0) await calls.removeTriggers(appId, id, { triggerIds: gone }, request);
    };
    return {
      list: async () => {
        const found = await Array.fromAsync(calls.list(appId, { perPage: 1_000 }, request));
        return Promise.all(found.map(read));
      },
      find: async (id) => {
        const webhook = await unlessMissing("ERR_WEBHOOK_NOT_FOUND", calls.get(appId, id, request));
        return webhook && read(webhook);
      },
      // No operation creates a webhook with its triggers (docs/internals/platform/management.md#triggers).
      // Triggers last: only they are certain to be shown, so an interrupted creation is visible.
      create: async (id, { triggers, enabled, ...fields }) => {
        await calls.create(appId, { name: id, ...fields, id, enabled: enabled === true }, request);
        await subscribe(id, triggers, []);
      },
      change: async (id, { triggers, ...fields }, { fields: found }) => {
        if (Object.keys(fields).length > 0) await calls.update(appId, id, fields, request);
        if (triggers !== undefined) await subscribe(id, triggers, found.triggers);
      },
      remove: (id) => calls.delete(appId, id, request),
    };
  },
};

/** The client checks the inputs. */
interface WebhookCalls extends Omit<WebhooksClient, "create" | "update"> {
  create(appId: string, input: object, options: AppApis["request"]): Promise<unknown>;
  update(appId: string, id: string, input: object, options: AppApis["request"]): Promise<unknown>;
}
