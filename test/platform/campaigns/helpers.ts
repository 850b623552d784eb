import { chat, type Json } from "../helpers.ts";

/** Calls the campaigns interface; `line` is a method and a path below `/campaigns`. */
export function api(line: string, body?: Json, as?: string) {
  return chat(line.replace(" ", " /campaigns"), as, body);
}

export function addTemplate() {
  return api("POST /templates", { name: "Spring Sale", channels: [{ channelType: "in_app" }] });
}

export async function addCampaign(): Promise<string> {
  await addTemplate();
  const body = { name: "Sale", templateId: "spring-sale", templateVersion: 1 };
  return (await api("POST /campaigns", body)).data.id;
}
