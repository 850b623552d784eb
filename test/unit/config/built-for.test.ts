import { describe, expect, it } from "vitest";
import { readBuiltFor, whyNotDeployed } from "../../../build/built-for.ts";

const prod = { stage: "prod", appIds: ["app-1", "app-2"] };

describe("whyNotDeployed", () => {
  it("accepts a package for the stage and its apps, in any order", () => {
    expect(whyNotDeployed({ stage: "prod", appIds: ["app-2", "app-1"] }, prod)).toBeUndefined();
  });

  it.each([
    [
      "a package of another stage",
      { ...prod, stage: "dev" },
      prod,
      "The package was made for the stage dev, and not for prod. Package again and deploy that: npx serverless package --stage prod",
    ],
    [
      "a package that lacks an app and has another",
      { stage: "prod", appIds: ["app-1", "app-3"] },
      prod,
      "The package was made for other apps than config/apps.yml names for the stage prod: it does not serve app-2, and it serves app-3.",
    ],
    [
      "a package with one more app",
      { stage: "prod", appIds: ["app-1", "app-2", "app-3"] },
      prod,
      "names for the stage prod: it serves app-3.",
    ],
    ["a package without metadata", undefined, prod, "does not say what it was made for"],
    [
      "a stage that serves no app",
      { stage: "prod", appIds: [] },
      { stage: "prod", appIds: [] },
      "The stage prod serves no app: config/apps.yml names none for it. Take the stage away (npx cometchat-functions remove --stage prod), or add one, then deploy again: npx cometchat-functions setup --app <appId> --stage prod",
    ],
  ])("refuses %s with the reason", (_case, built, wanted, reason) => {
    expect(whyNotDeployed(built, wanted)).toContain(reason);
  });
});

describe("readBuiltFor", () => {
  it.each([
    undefined,
    null,
    {},
    { BuiltFor: { stage: "prod" } },
    { BuiltFor: { stage: "prod", appIds: "app-1" } },
  ])("returns undefined for %j", (metadata) => {
    expect(readBuiltFor(metadata)).toBeUndefined();
  });
});
