import * as z from "zod/mini";
import { noTwoAlike } from "../../../base/no-two-alike.ts";
import { plainUrlOf } from "../../../receive/webhook-url.ts";
import { type DeploymentFacts, defineListSubject } from "../define-subject.ts";
import { fitsAsSet } from "../fits.ts";
import { pickFields } from "../pick-fields.ts";
import { secretNameAt, secretReferenceSchema } from "../secret-reference.ts";
import type { Fields } from "../thing.ts";
import { webhookKind } from "./webhook-kind.ts";

/** Limits: docs/internals/platform/management.md#webhooks. */
const webhookSchema = z.strictObject({
  id: z.string().check(z.regex(/^[A-Za-z0-9_-]{1,50}$/, "expected 1 to 50 letters, digits, - and _")),
  name: z.optional(z.string().check(z.minLength(1), z.maxLength(50))),
  /** Default: this deployment's, with the credentials of the app's secret. */
  url: z.optional(
    z
      .string()
      .check(z.regex(/^https:\/\/\S+$/, "expected an address that begins with https://"), z.maxLength(255)),
  ),
  /** `needed`, the default: at least those of the stage's triggers and flows. */
  triggers: z.optional(z.union([z.literal("needed"), z.array(z.string().check(z.minLength(1)))])),
  enabled: z.optional(z.boolean()),
  retryOnFailure: z.optional(z.boolean()),
  /** For another address. */
  credentials: z.optional(
    z.strictObject({
      username: z.union([z.string().check(z.minLength(1)), secretReferenceSchema]),
      password: secretReferenceSchema,
    }),
  ),
});

type DeclaredWebhook = z.infer<typeof webhookSchema>;

/** Of the current engine. */
export const webhooksSubject = defineListSubject({
  name: "webhooks",
  list: "webhooks",
  items: z.array(webhookSchema).check(z.maxLength(25), noTwoAlike("id", "another webhook has the same id")),
  kinds: [webhookKind],
  wanted: (webhook, facts) => [{ kind: webhookKind.name, id: webhook.id, fields: toFields(webhook, facts) }],
  write: ({ id, fields }, { webhookUrl, neededTriggers, secretNameOf }) => {
    const { webhookURL: url, triggers = [], name } = fields;
    const isOurs = webhookUrl !== undefined && plainUrlOf(String(url)) === plainUrlOf(webhookUrl);
    const isNeeded = isOurs && neededTriggers !== undefined && fitsAsSet(neededTriggers, triggers);
    return {
      ...{ id, name },
      ...(isOurs ? {} : { url, ...foreignCredentials(id, fields, secretNameOf) }),
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

/** Whether the password is returned is not documented: it is in the app's secret anyway. */
function foreignCredentials(
  id: string,
  { useBasicAuth, username, password }: Fields,
  secretNameOf: DeploymentFacts["secretNameOf"],
): Fields {
  if (useBasicAuth !== true || typeof username !== "string" || username === "") return {};
  const shown = typeof password === "string" ? secretNameOf?.(password) : undefined;
  return {
    credentials: { username, password: { secret: shown ?? secretNameAt(["webhook", id, "password"]) } },
  };
}

function credentialsOf({ url, credentials }: DeclaredWebhook): Fields {
  if (credentials !== undefined) return { useBasicAuth: true, ...credentials };
  if (url !== undefined) return {};
  return {
    useBasicAuth: true,
    username: { secret: "webhookUsername" },
    password: { secret: "webhookPassword" },
  };
}
