import { describe, expect, it } from "vitest";
import type { ExtensionId } from "../../lib/chat/management/extension-settings.ts";
import { createManagementClient } from "../../lib/chat/management/management-client.ts";
import { ownOperations } from "../../local/platform/catalogue/catalogue.ts";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import { observe } from "../platform/coverage/observe.ts";
import { settingsOperationFor } from "./client-operations.ts";
import { settingsFor } from "./extension-samples.ts";
import { onePlatform } from "./one-platform.ts";

const platform = onePlatform({}, (platform) => observe(platform, {}));

const operations = ownOperations()
  .filter(({ method, path }) => settingsOperationFor(method, path))
  .map(({ id, method, path }) => [id, method, path.split("/")[4] as ExtensionId] as const);

/** The calls in the catalogue: types decide which extension has which, tested elsewhere. */
type AnyCalls = Record<
  "store" | "update" | "get" | "delete",
  (appId: string, id: ExtensionId, settings?: object) => Promise<object>
>;

describe("the one call for extension settings", () => {
  const first = operations.filter(([, method]) => method === "GET" || method === "POST");
  it.each(first)("stores and shows the settings of %s", async (_id, method, extension) => {
    const calls = callsOf();
    const settings = { ...settingsFor(extension), note: "first" };

    const stored = await put(calls, extension, settings);

    const answer = writeAnswer(extension, settings, { widgetId: expect.any(String) });
    expect(stored).toMatchObject(method === "POST" ? answer : {});
    expect(await seen(calls, extension)).toMatchObject(keptOf(settings));
  });

  it.each(operations.filter(([, method]) => method === "PUT"))(
    "calls %s",
    async (_id, _method, extension) => {
      const calls = callsOf();
      const stored = await put(calls, extension, { ...settingsFor(extension), note: "first" });
      const changed = { ...settingsFor(extension), note: "second" };

      const answer = await calls.update("local-app", extension, { ...changed, ...idOf(stored) });

      expect(answer).toMatchObject(writeAnswer(extension, changed, { success: true }));
      expect(await seen(calls, extension)).toMatchObject(keptOf(changed));
    },
  );

  it.each(operations.filter(([, method]) => method === "DELETE"))("calls %s", async (_id, _, extension) => {
    const calls = callsOf();
    await put(calls, extension, settingsFor(extension));

    await calls.delete("local-app", extension);

    await expect(seen(calls, extension)).rejects.toMatchObject({ code: "ERR_EXTENSION_NOT_FOUND" });
  });
});

function callsOf(): AnyCalls {
  const { management: credentials } = defaultSeed;
  const management = createManagementClient({ credentials, baseUrl: platform().managementUrl });
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

/** The settings that remain: without names of fields to remove. */
function keptOf(settings: object): object {
  const { deleteCustomRegexData: _gone, ...kept } = settings as Record<string, unknown>;
  return kept;
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
