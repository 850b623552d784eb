import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import { readSeedFile } from "../../local/stack/read-seed-file.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

describe("readWorldSeed", () => {
  const [served] = defaultSeed.apps;
  const write = (text: string) => join(temporaryFolder({ "seed.yml": text }), "seed.yml");

  it("adds the file's apps to the app that the functions serve", () => {
    const { apps } = readSeedFile(write("apps: [{ appId: shop, users: [{ uid: ann }] }]"));

    expect(apps.map(({ appId }) => appId)).toEqual([served.appId, "shop"]);
    expect(apps[0]).toBe(served);
    expect(apps[1]).toMatchObject({ name: "shop", region: "us", users: [{ uid: "ann", name: "ann" }] });
  });

  it("applies the file's settings to that app, except its connection", () => {
    const { apps } = readSeedFile(
      write(`apps: [{ appId: ${served.appId}, region: eu, name: Mine, users: [{ uid: zoe, name: Zoé }] }]`),
    );

    expect(apps).toHaveLength(1);
    expect(apps[0]).toMatchObject({
      name: "Mine",
      region: served.region,
      fullAccessKey: served.fullAccessKey,
      users: [{ uid: "zoe", name: "Zoé" }],
    });
  });

  it.each(["apps: [", "apps: [{ users: [{ name: Ann }] }]"])("reports the mistake in %s", (text) => {
    expect(() => readSeedFile(write(text))).toThrow(/^The seed .* cannot be used\./);
  });

  it("reports a missing file", () => {
    expect(() => readSeedFile("/nowhere/seed.yml")).toThrow("cannot be read");
  });
});
