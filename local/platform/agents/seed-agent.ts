import type { AppServices } from "../services/services.ts";
import { findThing, putThing } from "./agent-route.ts";
import { addAgentUser } from "./agent-user.ts";
import { newAgent } from "./plain-families.ts";

/** An agent of the platform, with a uid of its own choice. Its user is made with it. */
export type AgentSeed = {
  uid: string;
  name: string;
  icon?: string;
  description?: string;
  instruction?: string;
  model?: string;
  isActive?: boolean;
};

export function seedAgent(services: AppServices, { uid, ...fields }: AgentSeed): void {
  if (findThing(services, "agent", uid) !== undefined) return;
  addAgentUser(
    services,
    putThing(services, "agent", uid, { appId: services.appId, ...newAgent(fields, uid) }),
  );
}
