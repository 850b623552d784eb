import { allFamilies } from "../../lib/chat/client.ts";
import { appSettings, apps, team, tenants } from "../../lib/chat/management/apps.ts";
import { settingsOperations } from "../../lib/chat/management/extension-settings.ts";
import { extensions } from "../../lib/chat/management/extensions.ts";
import { webhooks } from "../../lib/chat/management/webhooks.ts";
import type { Family, Operation } from "../../lib/chat/operation.ts";

/** Families of the management client; the settings of extensions are four operations for all extensions. */
const managementFamilies: Record<string, Family> = { apps, tenants, team, appSettings, webhooks, extensions };

/** One method of a client and the operation it calls. */
export interface ClientMethod {
  client: "chat" | "management";
  family: string;
  method: string;
  operation: Operation;
}

/** Lists every method of both clients, except the settings of extensions. */
export function clientMethods(): ClientMethod[] {
  const list = (client: "chat" | "management", families: Record<string, Family>) =>
    Object.entries(families).flatMap(([family, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({ client, family, method, operation })),
    );
  return [...list("chat", allFamilies), ...list("management", managementFamilies)];
}

/** Finds the call for extension settings of an operation of the catalogue. */
export function settingsOperationFor(method: string, path: string): Operation | undefined {
  if (!/^\/apps\/\{appId\}\/extensions\/[\w-]+\/v\d\/settings$/.test(path)) return undefined;
  return Object.values(settingsOperations).find((operation) => operation.request.startsWith(`${method} `));
}
