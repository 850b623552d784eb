import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { dependencyOfApp } from "../../../cli/init/app-dependency.ts";

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

  it.each([
    ["no JSON", "{"],
    ["nothing", "null"],
    ["no packages", "{}"],
    ["another kind of packages", '{"packages":"node_modules/cometchat-functions"}'],
    ["others alone", '{"packages":{"node_modules/other":{"resolved":"file:packed.tgz"}}}'],
    ["no place", '{"packages":{"node_modules/cometchat-functions":"file:packed.tgz"}}'],
  ])("says the versions where npm's note has %s", (_what, note) => {
    const project = installedFrom("file:packed.tgz");
    const packageFolder = join(project, "node_modules/cometchat-functions");
    writeFileSync(join(project, "node_modules/.package-lock.json"), note);

    expect(dependencyOfApp(project, "0.2.0", packageFolder)).toBe(">=0.2.0 <1.0.0");
  });

  it.each(["file:packed.tgz.txt", "own-file:packed.tgz", "file:packed-tgz"])(
    "takes %s for no packed file, though there is such a file",
    (resolved) => {
      const project = installedFrom(resolved);
      writeFileSync(join(project, resolved.replace(/^file:/, "")), "");

      const range = dependencyOfApp(project, "0.2.0", join(project, "node_modules/cometchat-functions"));

      expect(range).toBe(">=0.2.0 <1.0.0");
    },
  );

  it("says where a file really is that was named through a link", () => {
    const project = installedFrom("file:linked/packed.tgz");
    mkdirSync(join(project, "far/away"), { recursive: true });
    writeFileSync(join(project, "far/away/packed.tgz"), "");
    symlinkSync(join(project, "far/away"), join(project, "linked"));

    const range = dependencyOfApp(project, "0.2.0", join(project, "node_modules/cometchat-functions"));

    expect(range).toBe("file:far/away/packed.tgz");
  });

  it("says where a file is from the project that a link to the package leads to", () => {
    const project = installedFrom("file:packed.tgz");
    const other = installedFrom(undefined);
    const packageFolder = join(other, "linked");
    symlinkSync(join(project, "node_modules/cometchat-functions"), packageFolder);

    expect(dependencyOfApp(project, "0.2.0", packageFolder)).toBe("file:packed.tgz");
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
