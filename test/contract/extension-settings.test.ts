import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExtensionId, requiredSettings } from "../../lib/chat/management/extension-settings.ts";
import { createManagementClient } from "../../lib/chat/management/management-client.ts";
import { createPlatform, type Platform } from "../../local/platform/create-platform.ts";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import { ownOperations } from "./catalogue.ts";
import { settingsOperationFor } from "./client-operations.ts";

let platform: Platform;
beforeAll(async () => {
  platform = await createPlatform();
});
afterAll(() => platform.close());

const operations = ownOperations()
  .filter(({ method, path }) => settingsOperationFor(method, path))
  .map(({ id, method, path }) => [id, method, path.split("/")[4] as ExtensionId] as const);

/** The calls as the catalogue lists them: which extension has which is the types' concern, judged elsewhere. */
type AnyCalls = Record<string, (appId: string, id: ExtensionId, settings?: object) => Promise<object>>;

describe("the one call for extension settings", () => {
  it.each(operations)("does %s", async (_, method, extension) => {
    const management = createManagementClient({
      credentials: defaultSeed.management,
      baseUrl: platform.managementUrl,
    });
    const calls = management.extensionSettings as unknown as AnyCalls;
    const name = { POST: "store", PUT: "update", GET: "get", DELETE: "delete" }[method] ?? "";
    const hasBody = method === "POST" || method === "PUT";

    // What is read, changed or cleared was stored before; two extensions only know "update".
    const first = ["data-masking", "stickers"].includes(extension) ? calls.update : calls.store;
    const stored = method === "POST" ? {} : await first?.("local-app", extension, settingsFor(extension));

    const answer = await calls[name]?.(
      "local-app",
      extension,
      ...(hasBody ? [{ ...settingsFor(extension), ...idOf(stored) }] : []),
    );

    expect(answer).toBeTypeOf("object");
  });
});

/** A widget is chosen by the id its creation answered. */
function idOf(stored: object | undefined): object {
  return stored && "widgetId" in stored ? { widgetId: stored.widgetId } : {};
}

function settingsFor(extension: ExtensionId): object {
  return Object.fromEntries((requiredSettings[extension] ?? []).map((name) => [name, sampleOf(name)]));
}

function sampleOf(name: string): unknown {
  if (/^(drop|use|record|all|sendEmail)/.test(name)) return true;
  if (/words|senders|receiver|regexData/i.test(name)) return [];
  if (/^(maxReports|messageDelay|pushProvider)$/.test(name)) return 1;
  return name === "shortcuts" ? { hi: "hello" } : name === "version" ? "v2" : "x";
}
