import { expect, it } from "vitest";
import { checkCanary } from "../../../../lib/operate/doctor/check-canary.ts";
import { createDoctorServices, doctorCredentials } from "../../../helpers/doctor-services.ts";
import { createTestGuard } from "../../../helpers/loop-guard.ts";

const logs = "npx cometchat-functions logs --app a --since 1h --stage prod";

it.each([
  [
    "fails",
    async () => Response.json({ error: { code: "ERR_EXCEPTION", message: "No." } }, { status: 503 }),
    "(send-message: 503 ERR_EXCEPTION)",
  ],
  [
    "refuses it",
    async () => Response.json({ error: { code: "ERR_BAD_REQUEST", message: "No." } }, { status: 400 }),
    "(send-message: 400 ERR_BAD_REQUEST)",
  ],
  ["gives no answer", () => Promise.reject(new TypeError("fetch failed")), "gave no answer (send-message: "],
] as const)("counts a canary as failed if the platform %s when it is sent", async (_case, fetch, says) => {
  const services = { ...createDoctorServices(), fetch };
  const users = { sender: "canary-a", receiver: "canary-b" };

  const found = await checkCanary(doctorCredentials, users, services, {
    guardOf: createTestGuard,
    maxWaitMs: 1_000,
  });

  expect(found).toEqual({ status: "wrong", says: expect.stringContaining(says), remedy: logs });
  expect(found.says).toMatch(/^The canary could not be sent\. /);
});
