import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseEvent } from "../../../lib/events/parse-event.ts";

const folder = new URL("../../../../shared/reference/webhook-samples/", import.meta.url);
const isThere = existsSync(folder);
/** Answers, and calls of families that are answered at once and have no envelope. */
const isOtherFile = /^(ai_agent|custom_moderation)\.|\.(response-|resulting-)/;
const files = isThere
  ? readdirSync(folder).filter((file) => file.endsWith(".json") && !isOtherFile.test(file))
  : [];

describe("the platform facts' own samples", () => {
  it.skipIf(isThere)("are not here: skipped", () => undefined);

  it.runIf(isThere)("are all found", () => {
    expect(files.length).toBeGreaterThanOrEqual(69);
  });

  it.each(files)("%s is understood, and its head is filled", (file) => {
    const body = JSON.parse(readFileSync(new URL(file, folder), "utf8"));

    const result = parseEvent(body, { appId: "app-1" });

    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    const { kind, trigger, head } = result.event;
    expect({ kind, trigger }).toEqual({ kind: "known", trigger: body.trigger ?? "email-extension" });
    expect(head.key).not.toBe("");
    expect(head.lane).not.toBe("");
    expect(head.appId).toBe("app-1");
    expect(head.region).toBe(body.region);
    expect(head.occurredAt === undefined).toBe(head.occurredAtField === undefined);
    if (head.occurredAt) expect(head.occurredAt.getUTCFullYear()).toBeGreaterThan(2019);
  });
});
