import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { projectFolder as root } from "../bench/esbuild-settings.ts";

/** Bundles sources the way functions are bundled and returns the size and the text of each. */
async function bundle(sources: readonly string[]) {
  const { outputFiles } = await build({
    entryPoints: sources.map((_, index) => ({ in: `source:${index}`, out: `${index}` })),
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "node24",
    mainFields: ["module", "main"],
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
    return { bytes: file?.contents.length ?? 0, text: file?.text ?? "" };
  });
}

const folder = join(root, "lib/chat/resources");
const modules = await Promise.all(readdirSync(folder).map((file) => import(join(folder, file))));
/** The ids of each family's operations. */
const families = modules.flatMap((module) =>
  Object.entries<Record<string, { id?: string }>>(module).flatMap(([name, family]) => {
    const ids = Object.values(Object(family)).flatMap((one) => Object(one).id ?? []);
    return ids.length > 0 ? [{ name, ids }] : [];
  }),
);

function familiesIn({ text }: { readonly text: string } = { text: "" }): readonly string[] {
  return families
    .filter(({ ids }) => ids.some((id) => new RegExp(`id:["\`]${id}["\`]`).test(text)))
    .map(({ name }) => name)
    .toSorted();
}

/** A trigger whose action is `act`. */
function triggerOf(imports: string, act: string) {
  return `
    import { createEffects } from "./lib/effects/effects.ts";
    import { createPerform } from "./lib/effects/perform.ts";
    import { onTrigger } from "./lib/handle/on-trigger.ts";
    import { triggerFamilies } from "./lib/handle/on-trigger.ts";
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
  ["members", "addMembers", ["members"]],
  ["members", "kickMember", ["members"]],
  ["members", "changeScope", ["members"]],
  ["members", "banMember", ["bannedUsers"]],
  ["users-and-groups", "createGroup", ["groups"]],
  ["users-and-groups", "createUser", []],
  ["users-and-groups", "blockUsers", ["blockedUsers"]],
  ["moderation", "flagMessage", ["flaggedMessages"]],
  ["moderation", "reviewBlockedMessage", ["blockedMessages"]],
] as const;

describe("the bundle of a trigger", () => {
  it("contains what its effect needs, and no other effect", async () => {
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

    const known = familiesIn(usual);
    const found = makers.map(([file, maker], index) => {
      const added = familiesIn(bundles[index]).filter((name) => !known.includes(name));
      return [file, maker, added];
    });
    expect(found).toEqual(makers);
    expect(familiesIn(text)).toEqual(["messages", "users"]);
  });
});

describe("the bundle of a function", () => {
  it("grows by at most 72.4 kB with sending a message, without other families, and by 133.5 kB with all", async () => {
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

    expect(messages?.bytes).toBeLessThan(72_400);
    expect(familiesIn(messages)).toEqual(["messages"]);
    expect(everything?.bytes).toBeLessThan(133_500);
  });
});
