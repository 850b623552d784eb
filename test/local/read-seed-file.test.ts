import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import { readSeedFile } from "../../local/stack/read-seed-file.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

describe("readWorldSeed", () => {
  const [served] = defaultSeed.apps;
  const write = (text: string) => join(temporaryFolder({ "seed.yml": text }), "seed.yml");

  it("puts the file's apps beside the app that the functions serve", () => {
    const { apps } = readSeedFile(write("apps: [{ appId: shop, users: [{ uid: ann }] }]"));

    expect(apps.map(({ appId }) => appId)).toEqual([served.appId, "shop"]);
    expect(apps[0]).toBe(served);
    expect(apps[1]).toMatchObject({ name: "shop", region: "us", users: [{ uid: "ann", name: "ann" }] });
  });

  it("takes what the file says of that app, but for what connects it", () => {
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

  it.each(["apps: [", "apps: [{ users: [{ name: Ann }] }]"])("tells what is wrong with %s", (text) => {
    expect(() => readSeedFile(write(text))).toThrow(/^The seed .* cannot be used\./);
  });

  it("tells of a file that is not there", () => {
    expect(() => readSeedFile("/nowhere/seed.yml")).toThrow("cannot be read");
  });
});
