import type { Sample, World } from "./prepare.ts";

export const template = {
  name: "Hello",
  status: "approved",
  templateCategory: "Alerts",
  channels: [
    { channelType: "in_app", content: { body: "hi" } },
    { channelType: "push", content: { body: "hi" } },
  ],
} as const;

export async function newTemplate({ chat }: World): Promise<Sample> {
  const { id = "" } = await chat.templates.create({ ...template, channels: [...template.channels] });
  return { path: { id, templateId: id } };
}

/** A draft with one recipient. */
export async function newCampaign(world: World): Promise<Sample> {
  const made = await newTemplate(world);
  const input = { name: "Launch", templateId: made.path?.id ?? "", templateVersion: 1 };
  const { id = "" } = await world.chat.campaigns.create(input);
  await world.chat.campaigns.addRecipients(id, { userIds: ["alice"] });
  return { path: { id, campaignId: id } };
}

export async function scheduledCampaign(world: World): Promise<Sample> {
  const campaign = await newCampaign(world);
  await world.chat.campaigns.schedule(campaign.path?.id ?? "", { scheduledAt: 4_000_000_000 });
  return campaign;
}

export async function importingCampaign(world: World): Promise<Sample> {
  const campaign = await newCampaign(world);
  await world.chat.campaigns.importCsv(campaign.path?.id ?? "", { s3Key: "recipients.csv" });
  return campaign;
}

export async function newCategory({ chat }: World): Promise<Sample> {
  const { id = "" } = await chat.templateCategories.create({ name: "News" });
  return { path: { id } };
}

export async function newChannel({ chat }: World): Promise<Sample> {
  const { id = "" } = await chat.channels.create({ name: "Push", type: "push" });
  return { path: { id } };
}

/** An item in Alice's feed. */
export async function feedItem(world: World): Promise<Sample> {
  await notified(world);
  const [item] = (await world.chat.notificationFeed.list({}, { onBehalfOf: "alice" }).page()).items;
  return { path: { id: item?.id ?? "" }, onBehalfOf: "alice" };
}

/** A push notification for Alice. */
export async function pushItem(world: World): Promise<Sample> {
  await notified(world);
  const [item] = (await world.chat.pushNotifications.list({ limit: 5 }, { onBehalfOf: "alice" }).page())
    .items;
  return { path: { id: item?.id ?? "" }, onBehalfOf: "alice" };
}

/** Alice has an item in her feed and a push notification. */
export async function notified(world: World): Promise<Sample> {
  const made = await newTemplate(world);
  await world.chat.campaignNotifications.send({ templateId: made.path?.id ?? "", receivers: ["alice"] });
  return {};
}

export async function sentCampaign(world: World): Promise<Sample> {
  const campaign = await newCampaign(world);
  await world.chat.campaigns.send(campaign.path?.id ?? "");
  return campaign;
}
