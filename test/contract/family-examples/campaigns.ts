import type { ChatClient } from "../../../lib/chat/client.ts";

export async function templates(chat: ChatClient) {
  // example
  const { id } = await chat.templates.create({
    name: "Hello",
    status: "approved",
    templateCategory: "Alerts",
    channels: [{ channelType: "in_app", content: { body: "Welcome!" } }],
  });
  // end
  return id;
}

export async function templateCategories(chat: ChatClient) {
  // example
  await chat.templateCategories.create({ name: "News" });
  for await (const { id, name } of chat.templateCategories.list()) console.log(id, name);
  // end
}

export async function channels(chat: ChatClient) {
  // example
  const { id } = await chat.channels.create({ name: "Push", type: "push" });
  if (id) await chat.channels.update(id, { enabled: true });
  // end
}

export async function campaigns(chat: ChatClient, templateId: string) {
  // example
  const { id } = await chat.campaigns.create({ name: "Launch", templateId, templateVersion: 1 });
  if (id) {
    await chat.campaigns.addRecipients(id, { userIds: ["alice", "bob"] });
    await chat.campaigns.send(id);
  }
  // end
}

export async function campaignNotifications(chat: ChatClient, templateId: string) {
  // example
  await chat.campaignNotifications.send({ templateId, receivers: ["alice"] });
  // end
}

export async function notificationFeed(chat: ChatClient) {
  // example
  for await (const { id } of chat.notificationFeed.list({}, { onBehalfOf: "alice" })) {
    if (id) await chat.notificationFeed.markRead(id, { onBehalfOf: "alice" });
  }
  // end
}

export async function pushNotifications(chat: ChatClient) {
  // example
  for await (const { id, status } of chat.pushNotifications.list({ limit: 20 }, { onBehalfOf: "alice" })) {
    console.log(id, status);
  }
  // end
}

export async function analytics(chat: ChatClient) {
  // example
  const { viewed, clicked } = await chat.analytics.user("alice");
  console.log(`Alice has seen ${viewed} and followed ${clicked}.`);
  console.log(await chat.analytics.overview()); // its shape is not documented
  // end
}
