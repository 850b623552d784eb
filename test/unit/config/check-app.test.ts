import { describe, expect, it } from "vitest";
import { missingIn } from "../../../build/check-app.ts";

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
