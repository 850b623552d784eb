import { basename, join } from "node:path";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

/** Bundles sources the way functions are bundled and tells the size of each, and which files are in it. */
async function bundle(sources: readonly string[]) {
  const { outputFiles, metafile } = await build({
    entryPoints: sources.map((_, index) => ({ in: `source:${index}`, out: `${index}` })),
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "node24",
    mainFields: ["module", "main"],
    metafile: true,
    write: false,
    outdir: root,
    plugins: [
      {
        name: "sources",
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^source:/ }, ({ path }) => ({ path, namespace: "source" }));
          onLoad({ filter: /./, namespace: "source" }, ({ path }) => ({
            contents: sources[Number(path.split(":")[1])] ?? "",
            resolveDir: root,
            loader: "ts",
          }));
        },
      },
    ],
  });
  return sources.map((_, index) => {
    const file = outputFiles.find(({ path }) => basename(path) === `${index}.js`);
    const { inputs = {} } =
      Object.entries(metafile.outputs).find(([name]) => basename(name) === `${index}.js`)?.[1] ?? {};
    return {
      bytes: file?.contents.length ?? 0,
      files: Object.keys(inputs).filter((name) => (inputs[name]?.bytesInOutput ?? 0) > 0),
    };
  });
}

const prefix = "lib/chat/resources/";

function resourcesIn({ files }: { readonly files: readonly string[] } = { files: [] }): readonly string[] {
  return files
    .filter((file) => file.startsWith(prefix))
    .map((file) => file.slice(prefix.length, -3))
    .toSorted();
}

/** A trigger that says `act`. */
function triggerOf(imports: string, act: string): string {
  return `
    import { createEffects } from "./lib/effects/effects.ts";
    import { createPerform } from "./lib/effects/perform.ts";
    import { onTrigger } from "./lib/handle/on-trigger.ts";
    import { triggerFamilies } from "./lib/handle/trigger-chat.ts";
    ${imports}
    console.log(createEffects, createPerform, triggerFamilies);
    export const act = onTrigger("message_sent", async ({ effects }) => { ${act} });
  `;
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
  it("holds of each effect what it needs, and of no other effect", async () => {
    const [usual, text, ...bundles] = await bundle([
      triggerOf("", ""),
      triggerOf("", `await effects.sendText("it", {})`),
      ...makers.map(([file, maker]) =>
        triggerOf(
          `import { ${maker} } from "./lib/effects/${file}.ts";`,
          `await effects.do("it", ${maker}({}))`,
        ),
      ),
    ]);

    const known = resourcesIn(usual);
    const found = makers.map(([file, maker], index) => {
      const added = resourcesIn(bundles[index]).filter((name) => !known.includes(name));
      return [file, maker, added];
    });
    expect(found).toEqual(makers);
    expect(resourcesIn(text)).toEqual([
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
  it("grows by at most 71.5 kB when it sends a message, by nothing of other families, and by 133.5 kB with all", async () => {
    const [messages, everything] = await bundle([
      `
        import { composeChatClient } from "./lib/chat/compose.ts";
        import { messages } from "./lib/chat/resources/messages.ts";
        const chat = composeChatClient({ appId: "app1", apiKey: "key" }, { messages });
        await chat.messages.send({ receiver: "bob", receiverType: "user", data: { text: "hi" } });
      `,
      `
        import { createChatClient } from "./lib/chat/client.ts";
        export const chat = createChatClient({ appId: "app1", apiKey: "key" });
      `,
    ]);

    expect(messages?.bytes).toBeLessThan(71_500);
    expect(
      messages?.files.filter((file) => /resources|management|campaigns|notifications/.test(file)).toSorted(),
    ).toEqual(
      ["message-answer", "message-input", "message-query", "messages"].map((name) => `${prefix}${name}.ts`),
    );
    expect(everything?.bytes).toBeLessThan(133_500);
  });
});
