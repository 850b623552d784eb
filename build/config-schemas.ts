import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ZodMiniType } from "zod/mini";
import { escalationRulesSchema } from "../lib/behaviours/escalation/escalation-rules.ts";
import { forwardRulesSchema } from "../lib/behaviours/forwarding/forward-rules.ts";
import { replyRulesFileSchema } from "../lib/behaviours/replies/reply-rules.ts";
import { welcomeRulesSchema } from "../lib/behaviours/welcome/welcome-rules.ts";
import { requestRulesSchema } from "../lib/effects/http/allowed-hosts.ts";
import { loginSettingsSchema } from "../lib/endpoints/login/login-settings.ts";
import { moderationRulesSchema } from "../lib/endpoints/moderation-lists/moderation-rules.ts";
import { canarySettingsSchema } from "../lib/handle/canary/canary-settings.ts";
import { subjects } from "../lib/operate/app-as-code/subjects.ts";
import { rotationSettingsSchema } from "../lib/operate/rotation/rotation-settings.ts";
import { declaredUsersSchema } from "../lib/operate/user-seeding/declared-users.ts";
import { alarmSettingsSchema } from "./alarms/alarm-settings.ts";
import { findProjectFolder, isPackage, NoProjectError } from "./folders.ts";

const shippedSchemas: Readonly<Record<string, ZodMiniType>> = {
  "alarms.yml": alarmSettingsSchema,
  "auth-token.yml": loginSettingsSchema,
  "canary.yml": canarySettingsSchema,
  "escalate.yml": escalationRulesSchema,
  "forward.yml": forwardRulesSchema,
  "moderation.yml": moderationRulesSchema,
  "replies.yml": replyRulesFileSchema,
  "requests.yml": requestRulesSchema,
  "rotation.yml": rotationSettingsSchema,
  "users.yml": declaredUsersSchema,
  "welcome.yml": welcomeRulesSchema,
  ...Object.fromEntries(subjects.map(({ name, schema }) => [`app/${name}.yml`, schema])),
};

export const configSchemas: ReadonlyMap<string, ZodMiniType> = joinSchemas(
  await readOwnSchemas(),
  shippedSchemas,
);

/** @throws Error if an own schema is for a shipped file, or not for a file of config/ */
export function joinSchemas(
  own: Readonly<Record<string, ZodMiniType>>,
  shipped: Readonly<Record<string, ZodMiniType>>,
): ReadonlyMap<string, ZodMiniType> {
  const taken = [...Object.keys(shipped), "apps.yml", "stages.yml", "triggers.yml"];
  for (const name of Object.keys(own)) {
    const isFile = /^[a-z0-9][\w-]*\.yml$/i.test(name);
    if (isFile && !taken.includes(name)) continue;
    throw new Error(
      `functions/own/config-schemas.ts has a schema for "${name}", ` +
        (isFile
          ? "which is a shipped file. Give your file another name."
          : 'which is not a file of config/. Write the name as "<name>.yml".'),
    );
  }
  return new Map(Object.entries({ ...own, ...shipped }));
}

interface OwnSchemasModule {
  readonly ownConfigSchemas: Readonly<Record<string, ZodMiniType>>;
}

async function readOwnSchemas() {
  const shipped = new URL("../functions/own/config-schemas.ts", import.meta.url);
  const module: OwnSchemasModule = await import(
    isPackage ? (ownSchemasOfApp() ?? shipped.href) : shipped.href
  );
  return module.ownConfigSchemas;
}

function ownSchemasOfApp() {
  try {
    const file = join(findProjectFolder(), "functions", "own", "config-schemas.ts");
    return existsSync(file) ? pathToFileURL(file).href : undefined;
  } catch (error) {
    if (error instanceof NoProjectError) return undefined; // for `--help` outside a project
    throw error;
  }
}
