import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { dependencyOfApp } from "../../../cli/init/init-app.ts";

/** A project in which npm has installed the package from somewhere; undefined where another installer did. */
function installedFrom(resolved: string | undefined): string {
  const project = realpathSync(mkdtempSync(join(tmpdir(), "installed-")));
  onTestFinished(() => rmSync(project, { recursive: true, force: true }));
  const modules = join(project, "node_modules");
  mkdirSync(join(modules, "cometchat-functions"), { recursive: true });
  writeFileSync(join(project, "packed.tgz"), "");
  const packages = { "node_modules/cometchat-functions": { resolved } };
  if (resolved !== undefined)
    writeFileSync(join(modules, ".package-lock.json"), JSON.stringify({ packages }));
  return project;
}

describe("dependencyOfApp", () => {
  it.each([
    ["from a registry", "https://registry.example/cometchat-functions-0.2.0.tgz", ">=0.2.0 <1.0.0"],
    ["by another installer", undefined, ">=0.2.0 <1.0.0"],
    ["from a file that is gone", "file:gone.tgz", ">=0.2.0 <1.0.0"],
    ["from a folder", "file:node_modules", ">=0.2.0 <1.0.0"],
    ["from a file", "file:packed.tgz", "file:../packed.tgz"],
  ])("says what an app takes of a package installed %s", (_where, resolved, expected) => {
    const project = installedFrom(resolved);

    const range = dependencyOfApp(
      join(project, "my-app"),
      "0.2.0",
      join(project, "node_modules/cometchat-functions"),
    );

    expect(range).toBe(expected);
  });

  it("says where a file is from the folder that a link leads to, as npm goes from there", () => {
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

  it.each(["1.2.3", "10.2.0", "1.0.0"])("takes no version after the next great one of %s", (version) => {
    const packageFolder = join(installedFrom(undefined), "node_modules/cometchat-functions");

    expect(dependencyOfApp("/app", version, packageFolder)).toBe(`^${version}`);
  });
});
