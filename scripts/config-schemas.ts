import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ZodMiniType } from "zod/mini";
import { subjects } from "../lib/app-as-code/subjects.ts";
import { canarySettingsSchema } from "../lib/canary/canary-settings.ts";
import { escalationRulesSchema } from "../lib/escalation/escalation-rules.ts";
import { forwardRulesSchema } from "../lib/forwarding/forward-rules.ts";
import { requestRulesSchema } from "../lib/http-effect/allowed-hosts.ts";
import { loginSettingsSchema } from "../lib/login/login-settings.ts";
import { moderationRulesFileSchema } from "../lib/moderation-lists/moderation-rules.ts";
import { replyRulesFileSchema } from "../lib/replies/reply-rules.ts";
import { rotationSettingsSchema } from "../lib/rotation/rotation-settings.ts";
import { declaredUsersSchema } from "../lib/user-seeding/declared-users.ts";
import { welcomeRulesSchema } from "../lib/welcome/welcome-rules.ts";
import { alarmSettingsSchema } from "./alarms/alarm-settings.ts";
import { findProjectFolder, isPackage, NoProjectError } from "./folders.ts";

const shippedSchemas: Readonly<Record<string, ZodMiniType>> = {
  "alarms.yml": alarmSettingsSchema,
  "auth-token.yml": loginSettingsSchema,
  "canary.yml": canarySettingsSchema,
  "escalate.yml": escalationRulesSchema,
  "forward.yml": forwardRulesSchema,
  "moderation.yml": moderationRulesFileSchema,
  "replies.yml": replyRulesFileSchema,
  "requests.yml": requestRulesSchema,
  "rotation.yml": rotationSettingsSchema,
  "users.yml": declaredUsersSchema,
  "welcome.yml": welcomeRulesSchema,
  ...Object.fromEntries(subjects.map(({ name, schema }) => [`app/${name}.yml`, schema])),
};

/** What each file of config/ may hold, by file name, the team's own included. A build with another file, or with content that does not fit, fails. */
export const configSchemas: ReadonlyMap<string, ZodMiniType> = joinSchemas(
  await readOwnSchemas(),
  shippedSchemas,
);

/** @throws Error for an own schema of a shipped file, whose reader would not know it, or of what is no file of config/ */
export function joinSchemas(
  own: Readonly<Record<string, ZodMiniType>>,
  shipped: Readonly<Record<string, ZodMiniType>>,
): ReadonlyMap<string, ZodMiniType> {
  const odd = Object.keys(own).find((name) => !/^[a-z0-9][\w-]*\.yml$/i.test(name));
  if (odd !== undefined) {
    throw new Error(
      `functions/own/config-schemas.ts has a schema for "${odd}". Its files are config/<name>.yml: write the name as "<name>.yml".`,
    );
  }
  const taken = Object.keys(own).find(
    (name) => Object.hasOwn(shipped, name) || ["apps.yml", "stages.yml", "triggers.yml"].includes(name),
  );
  if (taken === undefined) return new Map(Object.entries({ ...own, ...shipped }));
  throw new Error(
    `functions/own/config-schemas.ts has a schema for config/${taken}, which is a shipped file. Give your file another name.`,
  );
}

interface OwnSchemasModule {
  readonly ownConfigSchemas: Readonly<Record<string, ZodMiniType>>;
}

/** Reads functions/own/config-schemas.ts of the project; an app may do without. */
async function readOwnSchemas(): Promise<OwnSchemasModule["ownConfigSchemas"]> {
  const shipped = new URL("../functions/own/config-schemas.ts", import.meta.url);
  const module: OwnSchemasModule = await import(
    isPackage ? (ownSchemasOfApp() ?? shipped.href) : shipped.href
  );
  return module.ownConfigSchemas;
}

function ownSchemasOfApp(): string | undefined {
  try {
    const file = join(findProjectFolder(), "functions", "own", "config-schemas.ts");
    return existsSync(file) ? pathToFileURL(file).href : undefined;
  } catch (error) {
    if (error instanceof NoProjectError) return undefined; // as for `--help`
    throw error;
  }
}
