import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Bundles a source the way functions are bundled and tells its size and which files are in it. */
async function bundle(source: string) {
  const { outputFiles, metafile } = await build({
    stdin: { contents: source, resolveDir: root, loader: "ts" },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "node24",
    mainFields: ["module", "main"],
    metafile: true,
    write: false,
  });
  const inputs = Object.values(metafile.outputs)[0]?.inputs ?? {};
  return {
    bytes: outputFiles[0]?.contents.length ?? 0,
    files: Object.keys(inputs).filter((file) => (inputs[file]?.bytesInOutput ?? 0) > 0),
  };
}

describe("the bundle of a function", () => {
  it("grows by at most 60 kB when it sends a message, and by nothing of other families", async () => {
    const { bytes, files } = await bundle(`
      import { composeChatClient } from "./lib/chat/compose.ts";
      import { messages } from "./lib/chat/resources/messages.ts";
      const chat = composeChatClient({ appId: "app1", apiKey: "key" }, { messages });
      await chat.messages.send({ receiver: "bob", receiverType: "user", data: { text: "hi" } });
    `);

    expect(bytes).toBeLessThan(60_000);
    expect(
      files.filter((file) => /resources|management|campaigns|notifications/.test(file)).toSorted(),
    ).toEqual([
      "lib/chat/resources/message-answer.ts",
      "lib/chat/resources/message-input.ts",
      "lib/chat/resources/message-query.ts",
      "lib/chat/resources/messages.ts",
    ]);
  });

  it("stays below 100 kB with every family of the app's APIs", async () => {
    const { bytes } = await bundle(`
      import { createChatClient } from "./lib/chat/client.ts";
      export const chat = createChatClient({ appId: "app1", apiKey: "key" });
    `);

    expect(bytes).toBeLessThan(100_000);
  });
});
