import type { Seed } from "./seed.ts";

/** Public, worthless keys that open only the emulation: 40 hex characters, beginning with "10ca1" (local). */
export const defaultSeed = {
  management: { key: "local-management-key-not-secret", secret: "local-management-secret-not-secret" },
  apps: [
    {
      appId: "local-app",
      region: "us",
      name: "Local App",
      fullAccessKey: "10ca1f0110ca1f0110ca1f0110ca1f0110ca1f01",
      authOnlyKey: "10ca1a0110ca1a0110ca1a0110ca1a0110ca1a01",
      users: [
        { uid: "alice", name: "Alice Nguyen" },
        { uid: "bob", name: "Bob Okafor" },
        { uid: "support", name: "Support Team" },
      ],
      bots: [{ uid: "helper", name: "Helper Bot" }],
      groups: [
        {
          guid: "lobby",
          name: "Lobby",
          owner: "support",
          members: { support: "admin", alice: "participant", bob: "participant" },
        },
      ],
    },
  ],
} as const satisfies Seed;
