import type { ManagementClient } from "../../../lib/chat/management/management-client.ts";

export async function apps(management: ManagementClient) {
  // example
  const { id } = await management.apps.create({ name: "Shop", region: "eu" });
  for await (const app of management.apps.list()) console.log(app.id, app.name);
  // end
  return id;
}

export async function tenants(management: ManagementClient) {
  // example
  await management.tenants.create({
    name: "Zoë",
    email: "zoe@example.com",
    password: "a1b2c3d4e5",
    appName: "Shop",
    appRegion: "eu",
  });
  // end
}

export async function team(management: ManagementClient, appId: string) {
  // example
  await management.team.change(appId, { admins: ["zoe@example.com"] });
  for await (const { email, role } of management.team.list(appId)) console.log(email, role);
  // end
}

export async function appSettings(management: ManagementClient, appId: string) {
  // example
  await management.appSettings.set(appId, { settings: { "core.conversations.updateOnReplies": false } });
  const settings = await management.appSettings.get(appId);
  // end
  return settings;
}

export async function webhooks(management: ManagementClient, appId: string) {
  // example
  const webhookURL = "https://example.com/webhooks/app";
  await management.webhooks.create(appId, { id: "events", name: "Events", webhookURL, enabled: false });
  await management.webhooks.addTriggers(appId, "events", { triggerIds: ["message_sent"] });
  await management.webhooks.update(appId, "events", { enabled: true });
  // end
}

export async function extensions(management: ManagementClient, appId: string) {
  // example
  await management.extensions.switch(appId, { enabled: ["polls"], disabled: ["mentions"] });
  // end
}

export async function extensionSettings(management: ManagementClient, appId: string) {
  // example
  await management.extensionSettings.store(appId, "gifs-giphy", { giphyApiKey: "0123456789" });
  // end
}
