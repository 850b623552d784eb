import type { DoctorServices } from "../../lib/operate/doctor/doctor-services.ts";
import { remediesFor } from "../../lib/operate/doctor/remedies.ts";
import { createMemoryTable } from "./memory-table.ts";

const nobody = () => Promise.reject(new Error("Nobody is there."));

/** Of a deployment that reaches neither AWS nor the platform. Its clock advances by its sleeps. */
export function createDoctorServices() {
  let nowMs = Date.UTC(2026, 2, 2, 8);
  return {
    callAws: nobody,
    fetch: nobody,
    previousMs: 3_600_000,
    secretPrefix: "service/prod",
    queueUrls: { events: "e", deadLetters: "d", quarantine: "q" },
    lanes: createMemoryTable("lane", "item"),
    httpUrl: "https://abc.execute-api.us-east-1.amazonaws.com",
    chatBaseUrlTemplate: "https://{appId}.{service}-{region}.example.com/v3",
    webhookLists: async () => undefined,
    remedies: remediesFor("--stage prod"),
    now: () => nowMs,
    sleep: async (ms: number) => {
      nowMs += ms;
    },
  } satisfies DoctorServices;
}

export const doctorCredentials = {
  appId: "a",
  region: "eu",
  apiKey: "k",
  webhookUsername: "platform",
  webhookPassword: "p",
};
