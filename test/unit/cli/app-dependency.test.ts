import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dependencyOfApp } from "../../../cli/init/init-app.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";

/** A project with the package installed by npm from `resolved`, or by another installer (undefined). */
function installedFrom(resolved: string | undefined) {
  const packages = { "node_modules/cometchat-functions": { resolved } };
  const lock = { "node_modules/.package-lock.json": JSON.stringify({ packages }) };
  const files = { "packed.tgz": "", "node_modules/cometchat-functions/package.json": "{}" };
  return realpathSync(temporaryFolder(resolved === undefined ? files : { ...files, ...lock }));
}

describe("dependencyOfApp", () => {
  it.each([
    ["from a registry", "https://registry.example/cometchat-functions-0.2.0.tgz", ">=0.2.0 <1.0.0"],
    ["by another installer", undefined, ">=0.2.0 <1.0.0"],
    ["from a file that is gone", "file:gone.tgz", ">=0.2.0 <1.0.0"],
    ["from a folder", "file:node_modules", ">=0.2.0 <1.0.0"],
    ["from a file", "file:packed.tgz", "file:../packed.tgz"],
  ])("returns the version range of a package installed %s", (_where, resolved, expected) => {
    const project = installedFrom(resolved);

    const range = dependencyOfApp(
      join(project, "my-app"),
      "0.2.0",
      join(project, "node_modules/cometchat-functions"),
    );

    expect(range).toBe(expected);
  });

  it("resolves a file's path from a link's target, as npm does", () => {
    const project = installedFrom("file:packed.tgz");
    mkdirSync(join(project, "far/away"), { recursive: true });
    symlinkSync(join(project, "far/away"), join(project, "linked"));

    const range = dependencyOfApp(
      join(project, "linked/apps/my-app"),
      "0.2.0",
      join(project, "node_modules/cometchat-functions"),
    );

    expect(range).toBe("file:../../../../packed.tgz");
  });

  it.each(["1.2.3", "10.2.0", "1.0.0"])("allows no version after the major version of %s", (version) => {
    const packageFolder = join(installedFrom(undefined), "node_modules/cometchat-functions");

    expect(dependencyOfApp("/app", version, packageFolder)).toBe(`^${version}`);
  });
});
