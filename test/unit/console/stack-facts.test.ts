import { describe, expect, it } from "vitest";
import { settingFacts } from "../../../local/console/page/views/stack/setting-facts.ts";
import { maskSecret } from "../../../local/console/secret-masks.ts";
import { readLedger } from "../../../local/platform/ledger/read-ledger.ts";
import { appSettingDefaults } from "../../../local/platform/store/apps.ts";

const facts = settingFacts.flatMap(({ settings }) => settings);

describe("settingFacts", () => {
  it("describes each setting as the emulation does", () => {
    const told = readLedger().flatMap(({ notes }) => notes);
    const kept = told.find((text) => text.startsWith("Stored without effect")) ?? "";

    expect(kept).not.toBe("");
    for (const { key, acts } of facts) {
      expect({ key, acts }).toEqual({ key, acts: !kept.includes(`\`${key}\``) });
    }
  });

  it("lists every setting that has a documented default, with that default", () => {
    for (const [key, initial] of Object.entries(appSettingDefaults)) {
      expect(facts.find((fact) => fact.key === key)).toMatchObject({ initial });
    }
  });
});

describe("maskSecret", () => {
  it("shows four characters of a long secret, and none of a short one", () => {
    expect(maskSecret("10ca1f0110ca1f0110ca1f01")).toBe("••••1f01");
    expect(maskSecret("12345678901")).toBe("••••");
  });
});
