import type { ExtensionId } from "../../lib/chat/management/extension-settings.ts";
import type { FieldType } from "../../local/platform/catalogue/catalogue.ts";
import { documentedInputs } from "../../local/platform/catalogue/inputs.ts";
import {
  acting,
  importedMessage,
  message,
  newUser,
  placedCall,
  sendGrid,
  text,
  twilio,
  type World,
} from "./prepare.ts";
import type { Row } from "./row.ts";

const role = {
  role: "manager",
  name: "Manager",
  settings: { listUsers: "all", sendMessagesTo: "all" },
} as const;
const contact = { email: "alice@example.com", phno: "+15550100" };
const replying = { ...sendGrid, allowEmailReplies: true, senderEmailForReplies: "reply@example.com" };
const attachment = {
  url: "https://example.com/a.png",
  name: "a.png",
  mimeType: "image/png",
  extension: "png",
};

const withRole =
  (input?: object) =>
  async ({ chat }: World) => {
    await chat.roles.create(role);
    return { path: { role: "manager" }, ...(input === undefined ? {} : { input }) };
  };

async function endedCall(world: World) {
  const sample = await placedCall(world);
  const call = `/calls/${sample.path?.sessionId}`;
  await world.simulate("POST", `${call}/answer`, { uid: "bob" });
  await world.simulate("POST", `${call}/end`, {});
  return sample;
}

async function builtIn({ chat }: World) {
  const [reason] = (await chat.reasons.list().page()).items.filter((one) => one.default);
  return String(reason?.id);
}

async function builtInKeywords({ chat }: World) {
  const [list] = (await chat.keywordLists.list().page()).items.filter((one) => one.default);
  return String(list?.id);
}

/** What operations are called with where the rows do less than the printed examples show. */
export const exampleSamples: Readonly<Record<string, Row["given"]>> = {
  "create-group": { input: { guid: "club", name: "Club", type: "public" }, onBehalfOf: "support" },
  "get-group": { onBehalfOf: "support" },
  "update-group": { input: { name: "Hall" }, onBehalfOf: "support" },
  "add-group-members": async ({ chat }) => {
    await chat.users.create(newUser);
    return { input: { admins: ["zoe"], usersToBan: ["bob"] } };
  },
  "remove-message-reactions": async (world) => {
    const sample = await message(world);
    const id = sample.path?.id ?? "";
    for (const reaction of ["👍", "😅"]) await world.chat.reactions.add(id, reaction, acting);
    return { ...sample, path: { id, reaction: "👍" } };
  },
  "user-list-user-messages": async (world) => {
    await placedCall(world);
    return { path: { uid: "bob" }, ...acting };
  },
  "list-all-conversations": async ({ chat }) => {
    await chat.users.create(newUser);
    await chat.members.add("lobby", { participants: ["zoe"] });
    return acting;
  },
  "create-role": { input: role },
  "list-roles": async ({ chat }) => {
    await chat.roles.create(role);
    return {};
  },
  "get-role": withRole(),
  "update-role": withRole({ name: "Boss" }),
  "set-role-permissions": withRole({ permissions: { sendMessage: "allow" } }),
  "set-scope-permissions": { input: { permissions: { sendMessage: "allow" } } },
  "notifications-get-contact-details": async ({ chat }) => {
    await chat.contactDetails.update(contact, acting);
    return acting;
  },
  "notifications-update-contact-details": { input: contact, ...acting },
  "notifications-sms-update-twilio-details": async ({ chat }) => {
    await chat.twilio.save(twilio);
    return { input: { twilioAuthToken: "other" } };
  },
  "notifications-email-save-sendgrid-details": { input: replying },
  "notifications-email-update-sendgrid-details": async ({ chat }) => {
    await chat.sendGrid.save(replying);
    return { input: { senderName: "Other" } };
  },
  "get-reason-details": async (world) => ({ path: { id: await builtIn(world) } }),
  "update-reason-details": async (world) => ({
    path: { id: await builtIn(world) },
    input: { name: "Other" },
  }),
  "get-rule-keyword": async (world) => ({ path: { keywordId: await builtInKeywords(world) } }),
  "update-rule-keyword": async (world) => ({
    path: { keywordId: await builtInKeywords(world) },
    input: { category: "word", searchTerms: ["darn"] },
  }),
  "list-flagged-messages": async (world) => {
    const { path } = await message(world);
    const flag = { reasonId: "spam", remark: "Look" };
    await world.chat.flaggedMessages.flag(path?.id ?? "", flag, { onBehalfOf: "bob" });
    return {};
  },
  "list-calls": async (world) => {
    await endedCall(world);
    return {};
  },
  "retrieve-call-details": endedCall,
  "import-messages": {
    input: {
      messages: {
        m1: {
          ...importedMessage,
          type: "image",
          data: { ...text.data, attachments: [{ ...attachment, size: "7" }] },
          deliveredAt: importedMessage.sentAt + 1,
          readAt: importedMessage.sentAt + 2,
        },
      },
    },
  },
  "enable-extension": { input: { enabled: ["polls"], disabled: ["mentions"] } },
  "add-tenant": {
    input: {
      name: "T",
      email: "t@example.com",
      password: "secret-12",
      appName: "Shop",
      appRegion: "eu",
      contactNumber: "1",
    },
  },
  "list-settings": async ({ management }) => {
    const settings = {
      "core.conversations.updateOnCustomMessage": true,
      "core.notifications.push.accessible": true,
      "core.notifications.push.advanced.enabled": true,
      "core.notifications.push.advanced.included": ["preferences"],
    };
    await management.appSettings.set("local-app", { settings });
    return {};
  },
};

/** Gives settings of an extension with every field that the pages name. */
export function everySetting(extension: ExtensionId): object {
  const ids = [`update-settings-${extension}`, `store-or-update-settings-${extension}`, "store-chat-widget"];
  const body = ids.map((id) => inputs.get(id)).find((found) => found !== undefined) ?? {};
  const { "settings!": required, settings = required ?? body } = body;
  return sampleOf(settings) as object;
}

function sampleOf(type: FieldType): unknown {
  if (typeof type === "object") {
    if (Array.isArray(type)) return [sampleOf(type[0])];
    const fields = Object.entries(type).filter(([name]) => name !== "appId");
    return Object.fromEntries(fields.map(([name, inner]) => [name.replace(/!$/, ""), sampleOf(inner)]));
  }
  if (type.endsWith("[]")) return ["x"];
  if (type === "object") return {};
  if (type === "boolean") return true;
  if (type === "integer" || type === "number") return 1;
  return type.split("|")[0] === "string" ? "x" : (type.split("|")[0] ?? "x");
}

const inputs = new Map(
  documentedInputs()
    .filter(({ api }) => api === "management")
    .map(({ id, body }) => [id, body]),
);
