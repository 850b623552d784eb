import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packPackage } from "../helpers/packed-package.ts";

const root = join(import.meta.dirname, "../..");

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    statSync(join(folder, file)).isFile(),
  );
}

describe("the packed file", { timeout: 900_000 }, () => {
  it("has only these at its top level", async () => {
    const listed = execFileSync("tar", ["-tzf", (await packPackage()).file], { encoding: "utf8" });

    const top = new Set(listed.split("\n").map((line) => line.split("/")[1] ?? ""));

    expect([...top].filter(Boolean).toSorted()).toEqual([
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "SECURITY.md",
      "app",
      "build",
      "cli",
      "config",
      "docs",
      "functions",
      "infrastructure",
      "lib",
      "local",
      "package",
      "package.json",
      "serverless.yml",
    ]);
  });

  it("is below 2.1 MB, and 12 MB when unpacked", async () => {
    const { file, dist } = await packPackage();

    const unpacked = filesIn(dist).reduce((sum, name) => sum + statSync(join(dist, name)).size, 0);

    expect(statSync(file).size).toBeLessThan(2_100_000);
    expect(unpacked).toBeLessThan(12_100_000);
  });

  it("requires only packages that it uses, and contains the licenses of those it bundles", async () => {
    const { dist } = await packPackage();
    const code = filesIn(dist)
      .filter((file) => /\.(m?js|d\.ts)$/.test(file))
      .map((file) => readFileSync(join(dist, file), "utf8"))
      .join("\n");

    const { peerDependencies } = JSON.parse(readFileSync(join(dist, "package.json"), "utf8"));
    const unused = Object.keys(peerDependencies).filter(
      (name) => !/^(node|serverless|@types\/.*)$/.test(name) && !code.includes(`"${name}"`),
    );
    const licenses = readFileSync(join(dist, "local/console/page/main.js.LICENSE"), "utf8");

    expect(unused).toEqual([]);
    expect(licenses).toMatch(/@codemirror\/view\n\nMIT License/);
    expect(licenses).toMatch(/preact\n\nThe MIT License/);
  });

  it("has no tests, no TypeScript sources except an app's first files, and no data of this machine", async () => {
    const { dist: folder } = await packPackage();
    const files = filesIn(folder);

    const own = files.filter((file) => !file.startsWith("package/template/"));
    const stray = own.filter((file) =>
      /(^|\/)(test|node_modules|\.git|\.env|\.npmrc)(\/|$)|\.(tgz|sqlite|log|pem|key|map)$|(?<!\.d)\.tsx?$/.test(
        file,
      ),
    );
    const telling = [root, homedir(), tmpdir()].filter((place) => place.length > 1);
    const told = files.filter((file) => {
      const text = readFileSync(join(folder, file), "utf8");
      return (
        telling.some((place) => text.includes(`${place}/`)) ||
        /-----BEGIN [A-Z ]*PRIVATE KEY|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bnpm_[A-Za-z0-9]{36}\b|"_authToken"/.test(
          text,
        )
      );
    });

    expect(files.length).toBeGreaterThan(1_000);
    expect(stray).toEqual([]);
    expect(told).toEqual([]);
  });
});
