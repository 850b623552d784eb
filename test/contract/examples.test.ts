import { describe, expect, it } from "vitest";
import { ownOperations } from "../../local/platform/catalogue/catalogue.ts";
import { settingsOperationFor } from "./client-operations.ts";
import { everyRequest, sendRaw } from "./every-request.ts";
import { everySetting } from "./every-setting.ts";
import { onePlatform } from "./one-platform.ts";
import { differing, printed, unexplained } from "./printed-answers.ts";

const platform = onePlatform();

describe("the printed answer of an operation", () => {
  const ofSettings = everyRequest({ settings: everySetting }).filter(([, { method, path }]) =>
    settingsOperationFor(method, path),
  );
  it.each(ofSettings)("%s has the same keys and types as ours, or is listed", async (_, operation, make) => {
    const answer = await sendRaw(await make(platform()));

    expect(answer.status).toBe(operation.status ?? 200);
    expect(unexplained(operation, answer)).toEqual([]);
  });

  it("belongs to an operation, and each listed answer is printed", () => {
    const ids = ownOperations().map(({ api, id }) => `${api} ${id}`);

    expect([...printed.keys()].filter((id) => !ids.includes(id))).toEqual([]);
    expect([...differing.keys()].filter((id) => !printed.has(id))).toEqual([]);
    expect(printed.size).toBeGreaterThan(300);
  });
});
