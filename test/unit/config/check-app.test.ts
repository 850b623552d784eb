import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { missingIn, unexpectedPackages } from "../../../build/check-app.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";

const webhook = { handler: "a.b", rights: ["readSecrets", "takeEvents"], environment: { A: 1, B: 2 } };

describe("missingIn", () => {
  it.each([
    [
      "a variable of all functions",
      "provider",
      { environment: { A: 1 } },
      { environment: { A: 1, B: 2 } },
      ["environment.B"],
    ],
    [
      "a variable of a function",
      "functions",
      [{ webhook: { ...webhook, environment: { A: 0 } } }],
      { webhook },
      ["webhook.environment.B"],
    ],
    [
      "a right",
      "functions",
      [{ webhook: { ...webhook, rights: ["readSecrets"] } }],
      { webhook },
      ["webhook.rights.takeEvents"],
    ],
    [
      "a function's key",
      "functions",
      [{ webhook: { handler: "a.b", rights: webhook.rights } }],
      { webhook },
      ["webhook.environment"],
    ],
    ["a setting", "custom", { acting: {} }, { acting: { A: 1 } }, ["acting.A"]],
    ["a resource", "resources", [{ Resources: { A: {} } }], { Resources: { A: {}, B: {} } }, ["Resources.B"]],
    ["a plugin", "plugins", ["a"], ["a", "b"], ["b"]],
  ])("names %s that the copy lacks", (_case, part, said, shipped, missing) => {
    expect(missingIn(part, said, shipped)).toEqual(missing);
  });

  it.each([
    ["a later map completes", "functions", [{ webhook: {} }, { webhook }], { webhook }],
    [
      "a variable may hold",
      "functions",
      [{ webhook: { ...webhook, environment: `\${self:custom.acting}`, rights: `\${a}` } }],
      { webhook },
    ],
    ["is the app's choice", "custom", { esbuild: {} }, { esbuild: { minify: true } }],
    [
      "a resource has in another way",
      "resources",
      { Resources: { A: {} } },
      { Resources: { A: { Type: "x" } } },
    ],
  ])("names nothing that %s", (_case, part, said, shipped) => {
    expect(missingIn(part, said, shipped)).toEqual([]);
  });
});

describe("unexpectedPackages", () => {
  const packages = { "@types/node": "^24.0.0", esbuild: "^0.28.2", typescript: "^7.0.2", vitest: "^5.1.1" };
  const own = { version: "1.0.0", packages, dependencies: {} };
  const files = (esbuild: string) => ({
    "node_modules/esbuild/package.json": JSON.stringify({ version: esbuild }),
    "node_modules/typescript/package.json": '{"version":"5.9.3"}',
  });

  it("allows the app its own compiler, types and test program", async () => {
    expect(await unexpectedPackages(temporaryFolder(files("0.28.5")), own)).toEqual([]);
  });

  it.each([
    ["npm", "node_modules/.package-lock.json", "npm install --save-dev esbuild@^0.28.2"],
    ["pnpm", "node_modules/.modules.yaml", "pnpm add -D esbuild@^0.28.2"],
    ["Yarn", "node_modules/.yarn-state.yml", "yarn add -D esbuild@^0.28.2"],
    ["pnpm, in a workspace", "../node_modules/.modules.yaml", "pnpm add -D esbuild@^0.28.2"],
    ["none, beside pnpm's list", "pnpm-lock.yaml", "pnpm add -D esbuild@^0.28.2"],
  ])("prints the install command of an app installed by %s", async (_case, file, command) => {
    const app = files("0.1.0");
    const ofApp = Object.entries(app).map(([path, text]) => [join("app", path), text]);
    const folder = temporaryFolder({ ...Object.fromEntries(ofApp), [join("app", file)]: "" });

    const [line] = await unexpectedPackages(join(folder, "app"), own);

    expect(line?.split("Type: ").at(-1)).toBe(command);
  });
});
