import { allFamilies } from "../../lib/chat/client.ts";
import { apps, tenants } from "../../lib/chat/management/apps.ts";
import { extensions } from "../../lib/chat/management/extensions.ts";
import { appSettings, team } from "../../lib/chat/management/team.ts";
import { webhooks } from "../../lib/chat/management/webhooks.ts";
import type { Family } from "../../lib/chat/operation.ts";

/** Schemas know limits that types cannot express. */
export const runtimeFamilies: Readonly<Record<string, Family>> = {
  ...allFamilies,
  apps,
  tenants,
  team,
  appSettings,
  webhooks,
  extensions,
};
