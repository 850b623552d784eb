import type { Platform } from "../../../local/platform/create-platform.ts";
import { chat, type Json } from "../helpers.ts";

/** Calls the campaigns interface; `line` is a method and a path below `/campaigns`. */
export function api(platform: Platform, line: string, body?: Json, as?: string) {
  const [method, path] = line.split(" ");
  return chat(platform, `${method} /campaigns${path}`, { body, ...(as === undefined ? {} : { as }) });
}

export function addTemplate(platform: Platform) {
  return api(platform, "POST /templates", { name: "Spring Sale", channels: [{ channelType: "in_app" }] });
}

export async function addCampaign(platform: Platform): Promise<string> {
  await addTemplate(platform);
  const body = { name: "Sale", templateId: "spring-sale", templateVersion: 1 };
  return (await api(platform, "POST /campaigns", body)).body.data.id;
}
