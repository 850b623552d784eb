import { describe, expect, it } from "vitest";
import type { ExtensionId } from "../../lib/chat/management/extension-settings.ts";
import { createManagementClient } from "../../lib/chat/management/management-client.ts";
import { ownOperations } from "../../local/platform/catalogue/catalogue.ts";
import type { CatalogueOperation } from "../../local/platform/catalogue/operations.ts";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import { observe } from "../platform/coverage/observe.ts";
import { settingsOperationFor } from "./client-operations.ts";
import type { RawAnswer } from "./every-request.ts";
import { everySetting } from "./every-setting.ts";
import { settingsFor } from "./extension-samples.ts";
import { onePlatform } from "./one-platform.ts";
import { unexplained } from "./printed-answers.ts";

const platform = onePlatform({}, (platform) => observe(platform, {}));

const operations = ownOperations()
  .filter(({ method, path }) => settingsOperationFor(method, path))
  .map((operation) => {
    const { id, method, path } = operation;
    return [id, method, path.split("/")[4] as ExtensionId, operation] as const;
  });

/** The calls in the catalogue: types decide which extension has which, tested elsewhere. */
type AnyCalls = Record<
  "store" | "update" | "get" | "delete",
  (appId: string, id: ExtensionId, settings?: object) => Promise<object>
>;

describe("the one call for extension settings", () => {
  const first = operations.filter(([, method]) => method === "GET" || method === "POST");
  it.each(first)("stores and shows the settings of %s", async (_id, method, extension, operation) => {
    const calls = callsOf();
    const settings = everySetting(extension);

    const stored = await put(calls, extension, settings);
    if (method === "POST") expectAsPrinted(operation);

    const answer = writeAnswer(extension, settings, { widgetId: expect.any(String) });
    expect(stored).toMatchObject(method === "POST" ? answer : {});
    expect(await seen(calls, extension)).toMatchObject(keptOf(settings));
    if (method === "GET") expectAsPrinted(operation);
  });

  it.each(operations.filter(([, method]) => method === "PUT"))(
    "calls %s",
    async (_id, _method, extension, operation) => {
      const calls = callsOf();
      const stored = await put(calls, extension, settingsFor(extension));
      const changed = everySetting(extension);

      const answer = await calls.update("local-app", extension, { ...changed, ...idOf(stored) });

      expectAsPrinted(operation);
      expect(answer).toMatchObject(writeAnswer(extension, changed, { success: true }));
      expect(await seen(calls, extension)).toMatchObject(keptOf(changed));
    },
  );

  it.each(operations.filter(([, method]) => method === "DELETE"))(
    "calls %s",
    async (_id, _, extension, operation) => {
      const calls = callsOf();
      await put(calls, extension, everySetting(extension));

      await calls.delete("local-app", extension);

      expectAsPrinted(operation);
      await expect(seen(calls, extension)).rejects.toMatchObject({ code: "ERR_EXTENSION_NOT_FOUND" });
    },
  );
});

/** The last answer, as received. */
let received: RawAnswer;

function expectAsPrinted(operation: CatalogueOperation) {
  expect(received.status).toBe(operation.status ?? 200);
  expect(unexplained(operation, received)).toEqual([]);
}

function callsOf(): AnyCalls {
  const { management: credentials } = defaultSeed;
  const baseUrl = platform().managementUrl;
  const listen: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    received = { status: response.status, json: await response.clone().json() };
    return response;
  };
  const management = createManagementClient({ credentials, baseUrl, fetch: listen });
  return management.extensionSettings as unknown as AnyCalls;
}

/** Stores settings for the first time, which for two extensions is an "update". */
async function put(calls: AnyCalls, extension: ExtensionId, settings: object): Promise<object> {
  const isUpdated = extension === "data-masking" || extension === "stickers";
  return await calls[isUpdated ? "update" : "store"]("local-app", extension, settings);
}

/** The settings in a GET's answer: the first widget's, as there may be several. */
async function seen(calls: AnyCalls, extension: ExtensionId): Promise<unknown> {
  const answer = await calls.get("local-app", extension);
  if (extension !== "widget") return answer;
  const { items } = answer as { items: { configuration: object }[] };
  return items[0]?.configuration;
}

/** The settings that remain: without names of expressions to remove, and without these. */
function keptOf(settings: object): object {
  const { deleteCustomRegexData, ...kept } = settings as Record<string, unknown>;
  return { ...kept, ...(deleteCustomRegexData !== undefined && { customregexData: [] }) };
}

/** A write's answer: the settings, but for some extensions only the success. */
function writeAnswer(extension: ExtensionId, settings: object, ofWidget: object): object {
  if (extension === "widget") return ofWidget;
  const isBrief = ["stickers", "sms-notification", "data-masking", "profanity-filter"].includes(extension);
  return isBrief ? { success: true } : settings;
}

/** A widget is chosen by the id from its creation. */
function idOf(stored: object): object {
  return "widgetId" in stored ? { widgetId: stored.widgetId } : {};
}
