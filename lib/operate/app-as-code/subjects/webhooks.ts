import * as z from "zod/mini";
import { noTwoAlike } from "../../../base/no-two-alike.ts";
import { unlessMissing } from "../../../chat/is-code.ts";
import type { Webhook, WebhooksClient } from "../../../chat/types/webhooks.ts";
import { type DeploymentFacts, defineListSubject } from "../define-subject.ts";
import { memberChanges, pickFields } from "../fields.ts";
import { fitsAsSet } from "../fits.ts";
import { requireSuccesses } from "../item-results.ts";
import type { Fields, FoundThing, Kind, Unchecked } from "../thing.ts";
import { callerSchema, credentialsOf, credentialsToWrite, isOurs } from "./caller-credentials.ts";

/** Limits: docs/internals/platform/management.md#webhooks. */
const webhookSchema = z.strictObject({
  id: z.string().check(z.regex(/^[A-Za-z0-9_-]{1,50}$/, "expected 1 to 50 letters, digits, - and _")),
  name: z.optional(z.string().check(z.minLength(1), z.maxLength(50))),
  ...callerSchema,
  /** `needed`, the default: at least those of the stage's triggers and flows. */
  triggers: z.optional(z.union([z.literal("needed"), z.array(z.string().check(z.minLength(1)))])),
  enabled: z.optional(z.boolean()),
  retryOnFailure: z.optional(z.boolean()),
});

type DeclaredWebhook = z.infer<typeof webhookSchema>;

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
const webhookKind: Kind = {
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
    const calls: Unchecked<WebhooksClient> = management.webhooks;
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
      write: async (id, { triggers, ...fields }, there) => {
        if (there === undefined) {
          const enabled = fields.enabled === true;
          await calls.create(appId, { name: id, ...fields, id, enabled }, request);
        } else if (Object.keys(fields).length > 0) await calls.update(appId, id, fields, request);
        if (triggers !== undefined) await subscribe(id, triggers, there?.fields.triggers);
      },
      remove: (id) => calls.delete(appId, id, request),
    };
  },
};

/** Of the current engine. */
export const webhooksSubject = defineListSubject({
  name: "webhooks",
  list: "webhooks",
  named: "webhook",
  items: z.array(webhookSchema).check(z.maxLength(25), noTwoAlike("id", "another webhook has the same id")),
  kinds: [webhookKind],
  wanted: (webhook, facts) => [{ kind: webhookKind.name, id: webhook.id, fields: toFields(webhook, facts) }],
  write: ({ id, fields }, facts) => {
    const { webhookURL: url, triggers = [], name } = fields;
    const { neededTriggers } = facts;
    const isOwn = isOurs(fields, facts);
    const isNeeded = isOwn && neededTriggers !== undefined && fitsAsSet(neededTriggers, triggers);
    return {
      ...{ id, name },
      ...(isOwn ? {} : { url, ...credentialsToWrite(fields) }),
      triggers: isNeeded ? "needed" : triggers,
      ...pickFields(fields, ["enabled", "retryOnFailure"]),
    };
  },
});

function toFields(webhook: DeclaredWebhook, { webhookUrl, neededTriggers }: DeploymentFacts): Fields {
  const { url = webhookUrl, triggers = "needed", enabled = true, retryOnFailure = true } = webhook;
  const subscribed = triggers === "needed" ? neededTriggers : triggers;
  return {
    ...pickFields(webhook, ["name"]),
    ...(url === undefined ? {} : { webhookURL: url }),
    enabled,
    retryOnFailure,
    ...credentialsOf(webhook),
    ...(subscribed === undefined ? {} : { triggers: subscribed }),
  };
}
