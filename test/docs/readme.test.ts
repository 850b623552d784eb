import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { createPlatform } from "cometchat-functions/platform";
import { afterAll, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
// Below the repository, so that its own name leads to its doors.
const folder = join(root, ".build/readme");
const blocks = [...readFileSync(join(root, "README.md"), "utf8").matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(
  ([, code = ""]) => code,
);

afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the first screen of README.md", () => {
  it("sends a message with the client", async () => {
    await using platform = await createPlatform();
    const { appId, region, apiKey, baseUrlTemplate } = platform.connection();

    const { code, output } = await run("client", blockWith("createChatClient, isChatApiError"), {
      ...{ APP_ID: appId, REGION: region, API_KEY: apiKey, BASE_URL_TEMPLATE: baseUrlTemplate },
    });

    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/^sent \d+\n$/) });
    expect(platform.messages()).toMatchObject([{ sender: "support", receiver: "alice" }]);
  });

  it("tests against the platform", async () => {
    const { code, output } = await run("platform", blockWith("cometchat-functions/platform"), {});

    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/pass 1\n.*fail 0\n/s) });
  });
});

function blockWith(words: string): string {
  const [block, ...others] = blocks.filter((code) => code.includes(words));
  if (block === undefined || others.length > 0) throw new Error(`README.md has not one block with ${words}.`);
  return block;
}

async function run(name: string, program: string, environment: Readonly<Record<string, string>>) {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.ts`);
  writeFileSync(file, program);
  const { NODE_OPTIONS: _1, VITEST: _2, ...inherited } = process.env;
  const child = spawn(process.execPath, [file], { env: { ...inherited, ...environment } });
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { code, output: output + errors };
}
