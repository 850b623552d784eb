import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { json } from "node:stream/consumers";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod/mini";
import { runWithin } from "../package/run-within.ts";

const places = { "cometchat-functions": "dist", "create-cometchat-functions": "package/create" };
const names = Object.keys(places);

describe("rehearse.sh and upload.sh", { timeout: 120_000 }, () => {
  let folder = "";
  let forge: Readonly<Record<string, string>> = {};
  let registry: Awaited<ReturnType<typeof startRegistry>>;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "publish-"));
    forge = {};
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    registry = await startRegistry();
    mkdirSync(join(folder, "tools/release"), { recursive: true });
    for (const script of ["rehearse.sh", "upload.sh"])
      cpSync(join("tools/release", script), join(folder, "tools/release", script));
    writePackage("dist", names[0], "export {};\n");
    writePackage("package/create", names[1], "export {};\n");
    writeFileSync(join(folder, ".npmrc"), `${registry.address.replace("http:", "")}:_authToken=none\n`);
    // npm signs only on a forge.
    writeFileSync(join(folder, "npm"), `#!/bin/sh\nexec "${npm}" "$@" --no-provenance\n`);
    chmodSync(join(folder, "npm"), 0o755);
  });

  it("uploads both packages once, and refuses a published version with other content, naming the files", async () => {
    await publish();
    writePackage("dist", names[0], "export const more = 1;\n");

    await expect(publish()).rejects.toThrow(
      /cometchat-functions@1\.2\.3 is published already, with other content than this\. These files differ:\nindex\.js\n/,
    );
    expect(registry.uploads).toEqual(names);
  });

  it("uploads the missing package after an interruption between the two, and keeps the published one", async () => {
    registry.refuse({ method: "PUT", name: "create-cometchat-functions", status: 400 });
    await expect(publish()).rejects.toThrow("400 Bad Request");
    registry.refuse();

    const again = await publish();

    expect(registry.uploads).toEqual(names);
    expect(again).toContain("cometchat-functions@1.2.3 is published already.");
  });

  it("uploads nothing if the registry does not answer whether the version exists", async () => {
    registry.refuse({ method: "GET", name: "cometchat-functions", status: 503 });

    await expect(publish()).rejects.toThrow(
      "Whether cometchat-functions@1.2.3 is published could not be asked, and nothing of it was uploaded.",
    );
    expect(registry.uploads).toEqual([]);
  });

  it("dry-runs without a registry, and names repository, homepage and issues if packed on a forge", async () => {
    registry.refuse({ method: "GET", name: "cometchat-functions", status: 503 });
    forge = { GITHUB_REPOSITORY: "somebody/functions", GITHUB_SERVER_URL: "https://forge.example" };

    await run("rehearse.sh", "packed");

    const { bomFormat, components } = sbomSchema.parse(
      JSON.parse(readFileSync(join(folder, "packed/sbom.cdx.json"), "utf8")),
    );
    expect([bomFormat, components.map(({ name }) => name)]).toEqual(["CycloneDX", names]);
    expect(registry.uploads).toEqual([]);
    for (const name of names) {
      const file = `packed/${name}-1.2.3.tgz`;
      const text = execFileSync("tar", ["-xzOf", file, "package/package.json"], { cwd: folder });
      expect(JSON.parse(`${text}`)).toMatchObject({
        repository: { type: "git", url: "git+https://forge.example/somebody/functions.git" },
        homepage: "https://forge.example/somebody/functions#readme",
        bugs: { url: "https://forge.example/somebody/functions/issues" },
      });
    }
  });

  async function publish() {
    mkdirSync(join(folder, "packed"), { recursive: true });
    for (const [name, place] of Object.entries(places)) {
      const named = ["--transform", `s,^${place},package,`];
      execFileSync("tar", ["-czf", `packed/${name}-1.2.3.tgz`, ...named, place], { cwd: folder });
    }
    return run("upload.sh", "packed");
  }

  async function run(script: string, ...args: readonly string[]) {
    const env = {
      ...forge,
      PATH: `${folder}:${process.env.PATH}`,
      HOME: folder,
      npm_config_registry: registry.address,
      npm_config_userconfig: join(folder, ".npmrc"),
      npm_config_cache: join(folder, "cache"),
      npm_config_fetch_retries: "0",
      npm_config_update_notifier: "false",
    };
    return runWithin(["bash", `tools/release/${script}`, ...args], { cwd: folder, env, seconds: 100 });
  }

  function writePackage(place: string, name = "", code: string) {
    mkdirSync(join(folder, place), { recursive: true });
    writeFileSync(join(folder, place, "package.json"), JSON.stringify({ name, version: "1.2.3" }));
    writeFileSync(join(folder, place, "index.js"), code);
  }
});

const npm = execFileSync("sh", ["-c", "command -v npm"], { encoding: "utf8" }).trim();

/** Starts a stand-in for npm's registry that stores packages and returns them. It ends with the test. */
async function startRegistry() {
  const uploads: string[] = [];
  const packages = new Map<string, unknown>();
  const files = new Map<string, Buffer>();
  let refused: Refusal | undefined;
  const server = createServer(async (request, response) => {
    const { method = "", url = "" } = request;
    const name = url.split("/")[1] ?? "";
    if (refused?.method === method && refused.name === name) return answer(response, refused.status, {});
    const file = files.get(url);
    if (file !== undefined) return void response.end(file);
    if (method === "GET") return answer(response, packages.has(url) ? 200 : 404, packages.get(url) ?? {});
    const body = uploadSchema.parse(await json(request));
    for (const [path, { data }] of Object.entries(body._attachments))
      files.set(`/${name}/-/${path}`, Buffer.from(data, "base64"));
    packages.set(url, body);
    uploads.push(name);
    return answer(response, 201, {});
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    uploads,
    refuse: (what?: Refusal) => {
      refused = what;
    },
  };
}

interface Refusal {
  readonly method: "GET" | "PUT";
  readonly name: string;
  readonly status: number;
}

const sbomSchema = z.looseObject({
  bomFormat: z.string(),
  components: z.array(z.looseObject({ name: z.string() })),
});

/** What npm uploads: the metadata, and the packed file beside it. */
const uploadSchema = z.looseObject({ _attachments: z.record(z.string(), z.object({ data: z.string() })) });

function answer(response: ServerResponse, status: number, body: unknown) {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
