import type { ManagementClient } from "../../../chat/management/management-client.ts";
import { webhooks } from "../../../chat/management/webhooks.ts";
import type { Webhook } from "../../../chat/types/webhooks.ts";
import { inputOf } from "../input-of.ts";
import { requireSuccesses } from "../item-results.ts";
import { memberChanges } from "../members.ts";
import { unlessMissing } from "../not-found.ts";
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
  hasSecrets: true,
  connect: (apis) => {
    const { management, appId, request } = apis;
    if (management === undefined) return undefined;
    const calls = management.webhooks;
    const find = async (id: string) => {
      const webhook = await unlessMissing("ERR_WEBHOOK_NOT_FOUND", calls.get(appId, id, request));
      return webhook && withTriggers(webhook, management, apis);
    };
    return {
      list: async () => {
        const found = await Array.fromAsync(calls.list(appId, { perPage: 1_000 }, request));
        return Promise.all(found.map((webhook) => withTriggers(webhook, management, apis)));
      },
      find,
      // No operation creates a webhook with its triggers (docs/internals/platform/management.md#triggers).
      // Triggers last: only they are certain to be shown, so an interrupted creation is visible.
      create: async (id, { triggers, enabled, ...fields }) => {
        const input = inputOf(webhooks.create, { name: id, ...fields, id, enabled: enabled === true });
        await calls.create(appId, input, request);
        await subscribe(management, apis, id, memberChanges(triggers, []));
      },
      change: async (id, { triggers, ...fields }, { fields: found }) => {
        if (Object.keys(fields).length > 0) {
          await calls.update(appId, id, inputOf(webhooks.update, fields), request);
        }
        if (triggers !== undefined)
          await subscribe(management, apis, id, memberChanges(triggers, found.triggers));
      },
      remove: async (id) => {
        await calls.delete(appId, id, request);
      },
    };
  },
};

async function withTriggers(
  webhook: Webhook,
  management: ManagementClient,
  { appId, request }: AppApis,
): Promise<FoundThing> {
  const listed = await Array.fromAsync(management.webhooks.listTriggers(appId, webhook.id, request));
  const triggers = listed.map(({ id }) => id).toSorted();
  return {
    id: webhook.id,
    fields: { ...pickFields(webhook, shownFields), ...(triggers.length === 0 ? {} : { triggers }) },
  };
}

async function subscribe(
  { webhooks: calls }: ManagementClient,
  { appId, request }: AppApis,
  id: string,
  { added, gone }: ReturnType<typeof memberChanges>,
): Promise<void> {
  if (added.length > 0) {
    requireSuccesses("triggers", await calls.addTriggers(appId, id, { triggerIds: [...added] }, request));
  }
  if (gone.length > 0) await calls.removeTriggers(appId, id, { triggerIds: [...gone] }, request);
}
