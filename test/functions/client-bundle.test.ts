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

/** Files of lib/chat/resources in the bundle of a trigger that says `act`, beside those of every trigger. */
async function resourcesOf(imports: string, act: string): Promise<readonly string[]> {
  const { files } = await bundle(`
    import { createEffects } from "./lib/effects/effects.ts";
    import { createPerform } from "./lib/effects/perform.ts";
    import { onTrigger } from "./lib/handle/on-trigger.ts";
    import { triggerFamilies } from "./lib/handle/trigger-chat.ts";
    ${imports}
    console.log(createEffects, createPerform, triggerFamilies);
    export const act = onTrigger("message_sent", async ({ effects }) => { ${act} });
  `);
  const prefix = "lib/chat/resources/";
  return files.filter((file) => file.startsWith(prefix)).map((file) => file.slice(prefix.length, -3));
}

const makers = [
  ["messages/send-message", "sendMessage", []],
  ["messages/send-message", "replyInThread", ["threads"]],
  ["messages/changing", "addReaction", ["reactions"]],
  ["messages/changing", "removeReaction", ["reactions"]],
  ["messages/changing", "editMessage", []],
  ["messages/changing", "tagMessage", []],
  ["messages/changing", "deleteMessage", []],
  ["messages/changing", "pinMessage", []],
  ["members", "addMembers", ["member-lists", "members"]],
  ["members", "kickMember", ["member-lists", "members"]],
  ["members", "changeScope", ["member-lists", "members"]],
  ["members", "banMember", ["banned-users"]],
  ["users-and-groups", "createGroup", ["groups", "member-lists"]],
  ["users-and-groups", "createUser", []],
  ["users-and-groups", "blockUsers", ["blocked-users"]],
  ["moderation", "flagMessage", ["blocked-message-answer", "flagged-messages"]],
  ["moderation", "reviewBlockedMessage", ["blocked-message-answer", "blocked-messages"]],
] as const;

describe("the bundle of a trigger", () => {
  it.each(makers)("holds of %s what %s needs, and of no other effect", async (file, maker, needed) => {
    const usual = await resourcesOf("", "");

    const resources = await resourcesOf(
      `import { ${maker} } from "./lib/effects/${file}.ts";`,
      `await effects.do("it", ${maker}({}))`,
    );

    expect(resources.filter((name) => !usual.includes(name)).toSorted()).toEqual(needed);
  });

  it("has no more than messages and users where it only sends texts", async () => {
    expect((await resourcesOf("", `await effects.sendText("it", {})`)).toSorted()).toEqual([
      "message-answer",
      "message-input",
      "message-query",
      "messages",
      "user-answer",
      "users",
    ]);
  });
});

describe("the bundle of a function", () => {
  it("grows by at most 64 kB when it sends a message, and by nothing of other families", async () => {
    const { bytes, files } = await bundle(`
      import { composeChatClient } from "./lib/chat/compose.ts";
      import { messages } from "./lib/chat/resources/messages.ts";
      const chat = composeChatClient({ appId: "app1", apiKey: "key" }, { messages });
      await chat.messages.send({ receiver: "bob", receiverType: "user", data: { text: "hi" } });
    `);

    expect(bytes).toBeLessThan(64_000);
    expect(
      files.filter((file) => /resources|management|campaigns|notifications/.test(file)).toSorted(),
    ).toEqual([
      "lib/chat/resources/message-answer.ts",
      "lib/chat/resources/message-input.ts",
      "lib/chat/resources/message-query.ts",
      "lib/chat/resources/messages.ts",
    ]);
  });

  it("stays below 112 kB with every family of the app's APIs", async () => {
    const { bytes } = await bundle(`
      import { createChatClient } from "./lib/chat/client.ts";
      export const chat = createChatClient({ appId: "app1", apiKey: "key" });
    `);

    expect(bytes).toBeLessThan(112_000);
  });
});
