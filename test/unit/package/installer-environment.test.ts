import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { environmentBy } from "../../package/try-installer.ts";

afterEach(() => vi.unstubAllEnvs());

it("keeps the machine's way to a registry, although another Node runs npm", () => {
  const place = mkdtempSync(join(tmpdir(), "another-node-"));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  const node = join(place, "bin/node");
  mkdirSync(join(place, "bin"));
  copyFileSync(process.execPath, node);
  // What npx hands down leads there, too.
  for (const name of Object.keys(process.env).filter((one) => one.startsWith("npm_config_")))
    vi.stubEnv(name, undefined);
  vi.stubEnv("NODE_EXTRA_CA_CERTS", "/certificates.pem");
  vi.stubEnv("HTTPS_PROXY", "http://127.0.0.1:9/");

  const env = environmentBy(node);

  const settings = (variables: NodeJS.ProcessEnv) =>
    execFileSync("npm", ["config", "get", "globalconfig"], { env: variables, encoding: "utf8" });
  expect(settings(env)).toBe(settings(process.env));
  expect(env).toMatchObject({
    NODE_EXTRA_CA_CERTS: "/certificates.pem",
    HTTPS_PROXY: "http://127.0.0.1:9/",
  });
  expect(execFileSync("node", ["-p", "process.execPath"], { env, encoding: "utf8" })).toBe(`${node}\n`);
});
