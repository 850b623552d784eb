import * as z from "zod/mini";
import { noTwoAlike } from "../../../base/no-two-alike.ts";
import { type DeploymentFacts, defineListSubject } from "../define-subject.ts";
import { fitsAsSet } from "../fits.ts";
import { pickFields } from "../pick-fields.ts";
import type { Fields } from "../thing.ts";
import { callerSchema, credentialsOf, credentialsToWrite, isOurs } from "./caller-credentials.ts";
import { webhookKind } from "./webhook-kind.ts";

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
