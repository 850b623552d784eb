import { allFamilies } from "../../lib/chat/client.ts";
import { appSettings, apps, team, tenants } from "../../lib/chat/management/apps.ts";
import { extensions } from "../../lib/chat/management/extensions.ts";
import { webhooks } from "../../lib/chat/management/webhooks.ts";
import type { Family } from "../../lib/chat/operation.ts";
import { describeFields } from "./describe-fields.ts";
import { type FamilyFacts, FamilyReader } from "./read-families.ts";
import { typeFiles } from "./type-files.ts";

const chatFile = "lib/chat/client.ts";
const managementFile = "lib/chat/management/management-client.ts";

/** Returns unformatted files. @throws Error if operations do not compile, or two shapes have one name */
export function generateTypes(root: string): ReadonlyMap<string, string> {
  const reader = new FamilyReader(root, [chatFile, managementFile]);
  return typeFiles({
    chat: reader.read(chatFile, "allFamilies").map(limited),
    management: reader.read(managementFile, "families").map(limited),
  });
}

const schemas: Readonly<Record<string, Family>> = {
  ...allFamilies,
  apps,
  tenants,
  team,
  appSettings,
  webhooks,
  extensions,
};

function limited(family: FamilyFacts): FamilyFacts {
  const operations = family.operations.map((operation) => {
    const schema = schemas[family.name]?.[operation.method]?.input?.();
    const input = operation.input && describeFields(operation.input, schema);
    return { ...operation, input, answer: describeFields(operation.answer) };
  });
  return { ...family, operations };
}
