import type { ChatClient } from "../../../lib/chat/client.ts";

export async function notificationSettings(chat: ChatClient) {
  // example
  await chat.notificationSettings.update({ sound: { chat: "ding" } });
  const { preferences } = await chat.notificationSettings.get();
  // end
  return preferences;
}

export async function notificationPreferences(chat: ChatClient) {
  // example
  await chat.notificationPreferences.setTimezone({ uid: "alice", timezone: "Europe/Berlin" });
  await chat.notificationPreferences.mute({
    uid: "alice",
    conversations: [{ id: "bob", type: "oneOnOne", until: Date.now() + 60 * 60 * 1_000 }],
  });
  // end
}

export async function fcmProviders(chat: ChatClient, serviceAccountCreds: Record<string, unknown>) {
  // example
  await chat.fcmProviders.add({ providerId: "android", serviceAccountCreds });
  await chat.fcmProviders.makeDefault("android");
  // end
}

export async function apnsProviders(chat: ChatClient, keyId: string, p8Key: string) {
  // example
  await chat.apnsProviders.add({ providerId: "ios", keyId, p8Key });
  const { pushProviders } = await chat.apnsProviders.list();
  // end
  return pushProviders;
}

export async function pushTokens(chat: ChatClient, deviceToken: string) {
  // example
  const { authToken } = await chat.authTokens.create("alice");
  await chat.pushTokens.register({
    authToken,
    platform: "fcm_android",
    providerId: "android",
    fcmToken: deviceToken,
  });
  // end
}

export async function contactDetails(chat: ChatClient) {
  // example
  await chat.contactDetails.update(
    { email: "alice@example.com", phno: "+15550100" },
    { onBehalfOf: "alice" },
  );
  // end
}

export async function twilio(chat: ChatClient, twilioAuthToken: string) {
  // example
  await chat.twilio.save({
    twilioAccountSID: "AC0123456789",
    twilioAuthToken,
    twilioSenderPhoneNumber: "+15550100",
  });
  // end
}

export async function sendGrid(chat: ChatClient, sendGridApiKey: string) {
  // example
  await chat.sendGrid.save({
    sendGridApiKey,
    sendGridTemplateID: "d-0123456789",
    sendGridUnsubscribeGroupID: "4711",
    senderName: "Support",
    senderEmail: "support@example.com",
    allowEmailReplies: false,
  });
  // end
}

export async function customPush(chat: ChatClient, basicAuthPassword: string) {
  // example
  await chat.customPush.save({
    isEnabled: true,
    webhookURL: "https://example.com/push",
    useBasicAuth: true,
    basicAuthUsername: "chat",
    basicAuthPassword,
  });
  // end
}

export async function customSms(chat: ChatClient, basicAuthPassword: string) {
  // example
  await chat.customSms.save({
    isEnabled: true,
    webhookURL: "https://example.com/sms",
    useBasicAuth: true,
    basicAuthUsername: "chat",
    basicAuthPassword,
    useStoredPhNo: true, // the platform sends the number along
  });
  // end
}

export async function customEmail(chat: ChatClient, basicAuthPassword: string) {
  // example
  await chat.customEmail.save({
    isEnabled: true,
    webhookURL: "https://example.com/email",
    useBasicAuth: true,
    basicAuthUsername: "chat",
    basicAuthPassword,
    useStoredEmailID: true, // the platform sends the address along
  });
  // end
}

export async function notificationLogs(chat: ChatClient) {
  // example
  for await (const { channel, receiver, reason } of chat.notificationLogs.list()) {
    if (reason) console.log(`${receiver} was not notified by ${channel}: ${reason}`);
  }
  // end
}
