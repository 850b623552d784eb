import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { createPlatform } from "cometchat-functions/platform";
import { afterAll, describe, expect, it } from "vitest";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import { writeFiles } from "../helpers/write-files.ts";

const root = join(import.meta.dirname, "../..");
// Below the repository, so that its own name resolves to its entry points.
const folder = join(root, ".build/readme");
const readme = readFileSync(join(root, "README.md"), "utf8");
const blocks = [...readme.matchAll(/^( *)```ts\n([\s\S]*?)^ *```/gm)].map(([, indent = "", code = ""]) =>
  code.replaceAll(`\n${indent}`, "\n").slice(indent.length),
);
const trigger = blockWith("onTrigger");

afterAll(() => rm(folder, { recursive: true, force: true }));

describe("README.md", () => {
  it("has at most 900 words and 25 links", () => {
    expect(readme.split(/\s+/).length).toBeLessThanOrEqual(900);
    expect([...readme.matchAll(/\]\(/g)].length).toBeLessThanOrEqual(25);
  });

  it("sends a message with the client", async () => {
    await using platform = await createPlatform();
    const { appId, region, apiKey, baseUrlTemplate } = platform.connection();

    const { code, output } = await run("client.ts", blockWith("createChatClient, isChatApiError"), {
      APP_ID: appId,
      REGION: region,
      API_KEY: apiKey,
      BASE_URL_TEMPLATE: baseUrlTemplate,
    });

    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/^sent \d+\n$/) });
    expect(platform.messages()).toMatchObject([{ sender: "support", receiver: "alice" }]);
  });

  it("has a trigger whose test passes", async () => {
    writeBlock("functions/own/house-rules.ts", trigger);
    // Runs here what Vitest would run in an app: a separate run takes ten times as long.
    const test = blockWith("runTrigger")
      .replace('import { expect, it } from "vitest";', 'import { expect } from "vitest";')
      .replace(/^it\(.*(?=async)/m, "await (")
      .replace(/\);\n$/, ")();\n");

    await expect(import(writeBlock("test/house-rules.ts", test))).resolves.toBeDefined();
  });

  it("has a trigger that acts for a user and in a group of npm start's app", () => {
    const [, uid] = /onBehalfOf: "(\w+)"/.exec(trigger) ?? [];

    const [{ users, groups }] = defaultSeed.apps;
    expect(users.map((user) => user.uid)).toContain(uid);
    expect(groups[0]).toMatchObject({ name: "Lobby", members: { alice: "participant", support: "admin" } });
    expect(uid).toBe("support");
  });
});

function blockWith(words: string) {
  const [block, ...others] = blocks.filter((code) => code.includes(words));
  if (block === undefined || others.length > 0) throw new Error(`README.md has not one block with ${words}.`);
  return block;
}

async function run(name: string, program: string, environment: Readonly<Record<string, string>>) {
  const file = writeBlock(name, program);
  const { NODE_OPTIONS: _1, VITEST: _2, ...inherited } = process.env;
  const child = spawn(process.execPath, [file], { env: { ...inherited, ...environment } });
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { code, output: output + errors };
}

function writeBlock(name: string, text: string) {
  writeFiles(folder, { [name]: text });
  return join(folder, name);
}
