import { describe, expect, it } from "vitest";
import { chooseDeployment, type Deployment } from "../../../cli/deploy/choose-deployment.ts";

const packagedAt = (day: number) => new Date(Date.UTC(2026, 2, day)).toISOString();

/** The package of a day in March, and whether it is noted that it ran. */
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

  it("goes back to the last one that ran before, past one whose deployment failed", () => {
    expect(chooseOf(all, live)).toBe(ran);
  });

  it("takes the one that ran last, not the newest, which was rolled back", () => {
    const good = { ...ran, liveAt: packagedAt(4) };
    expect(chooseOf([live, packageOf(3, true), good], live)).toBe(good);
  });

  it("takes the newest older one where none is noted to have run", () => {
    expect(chooseOf([live, failed, packageOf(1, false)], live)).toBe(failed);
  });

  it("takes the last one that ran where it is not known what runs", () => {
    expect(chooseOf([failed, ran, before])).toBe(ran);
  });

  it("takes the one that is asked for, also a newer one, and one that never ran", () => {
    expect(chooseOf(all, live, packagedAt(5))).toBe(newer);
    expect(chooseOf(all, live, packagedAt(3))).toBe(failed);
  });

  it("says where there is none, or not the one that is asked for", () => {
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
