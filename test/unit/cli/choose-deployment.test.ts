import { describe, expect, it } from "vitest";
import { chooseDeployment, type Deployment, isEarlier } from "../../../cli/deploy/choose-deployment.ts";

const packagedAt = (day: number) => new Date(Date.UTC(2026, 2, day)).toISOString();

/** The package of a day in March, with or without a record that it ran. */
function packageOf(day: number, hasRun: boolean): Deployment {
  const packagedAtMs = Date.UTC(2026, 2, day);
  return {
    directory: `${packagedAtMs}-${packagedAt(day)}`,
    liveAt: hasRun ? new Date(packagedAtMs + 60_000).toISOString() : undefined,
  };
}

const chooseOf = (deployments: readonly Deployment[], live?: Deployment, to?: string) =>
  chooseDeployment(deployments, live?.directory, to, { title: "shop-prod", stage: "prod" });

describe("chooseDeployment", () => {
  const [newer, live, failed, ran, before] = [
    packageOf(5, true),
    packageOf(4, true),
    packageOf(3, false),
    packageOf(2, true),
    packageOf(1, true),
  ];
  const all = [newer, live, failed, ran, before];

  it("chooses the last package that ran before, and skips a failed deployment", () => {
    expect(chooseOf(all, live)).toBe(ran);
  });

  it("chooses the package that ran last, not a newer one that was rolled back", () => {
    const good = { ...ran, liveAt: packagedAt(4) };
    expect(chooseOf([live, packageOf(3, true), good], live)).toBe(good);
  });

  it("chooses the newer package that an older one replaced by a deployment", () => {
    const replaced = { ...newer, leftBy: "deployment" } as const;
    expect(chooseOf([replaced, live, ran], live)).toBe(replaced);
  });

  it("chooses no package that was rolled back, also if it is older than the running one", () => {
    const rolledBack = { ...ran, leftBy: "rollback" } as const;
    expect(chooseOf([newer, live, rolledBack, before], live)).toBe(before);
  });

  it("chooses the newest older package if none has a record that it ran", () => {
    expect(chooseOf([live, failed, packageOf(1, false)], live)).toBe(failed);
  });

  it("chooses the last package that ran if the running one is unknown", () => {
    expect(chooseOf([failed, ran, before])).toBe(ran);
  });

  it("chooses the requested package, even a newer one or one that never ran", () => {
    expect(chooseOf(all, live, packagedAt(5))).toBe(newer);
    expect(chooseOf(all, live, packagedAt(3))).toBe(failed);
  });

  it.each([
    ["an older package", packageOf(2, true), true],
    ["a newer one that a deployment replaced", { ...newer, leftBy: "deployment" } as const, true],
    ["a newer one without a record", packageOf(6, false), false],
    ["one that was rolled back", { ...ran, leftBy: "rollback" } as const, false],
    ["the running one", live, false],
  ])("goes back by running %s: %s", (_name, deployment, isBack) => {
    expect(isEarlier(deployment, live.directory)).toBe(isBack);
  });

  it("fails if there is no earlier package, or not the requested one", () => {
    expect(() => chooseOf([newer, live], live)).toThrow(
      expect.objectContaining({
        message: "There is no earlier package of shop-prod to go back to.",
        code: "NO_EARLIER_PACKAGE",
        exitCode: 6,
        hint: "Check out the earlier version of the project, and deploy it.",
      }),
    );
    expect(() => chooseOf(all, live, packagedAt(9))).toThrow(
      expect.objectContaining({
        message: `No package of shop-prod was made at ${packagedAt(9)}.`,
        code: "NO_SUCH_PACKAGE",
        exitCode: 6,
        hint: "List the packages: npx cometchat-functions rollback --stage prod --list",
      }),
    );
  });
});
