import { describe, expect, it } from "vitest";
import { readBuiltFor, whyNotDeployed } from "../../../build/built-for.ts";

const prod = { stage: "prod", appIds: ["app-1", "app-2"] };

describe("whyNotDeployed", () => {
  it("lets a package be deployed as what it was made for, in whatever order the apps stand", () => {
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
      "a package that one app was added to since",
      { stage: "prod", appIds: ["app-1", "app-2", "app-3"] },
      prod,
      "names for the stage prod: it serves app-3.",
    ],
    ["a package that says nothing of itself", undefined, prod, "does not say what it was made for"],
    [
      "a stage that serves no app, whatever the package is for",
      { stage: "prod", appIds: [] },
      { stage: "prod", appIds: [] },
      "The stage prod serves no app: config/apps.yml names none for it. Take the stage away (npx cometchat-functions remove --stage prod), or add one, then deploy again: npx cometchat-functions setup --app <appId> --stage prod",
    ],
  ])("refuses %s, and says what to type", (_case, built, wanted, reason) => {
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
  ])("makes nothing of %j", (metadata) => {
    expect(readBuiltFor(metadata)).toBeUndefined();
  });
});
