import type { JsonObject } from "../json.ts";
import { type AppServices, nowSeconds } from "../services/services.ts";
import { findUser, putUser } from "../store/users.ts";

/** How an agent becomes a user is not documented; the role of its messages is. */
export function addAgentUser(services: AppServices, { uid, name, icon }: JsonObject): void {
  if (findUser(services, String(uid)) !== undefined) return;
  const avatar = icon ? { avatar: String(icon) } : {};
  putUser(services, {
    uid: String(uid),
    name: String(name),
    status: "offline",
    role: "@agentic",
    createdAt: nowSeconds(services),
    ...avatar,
  });
}
