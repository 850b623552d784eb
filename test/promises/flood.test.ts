import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { publicUrlOf } from "../../lib/receive/webhook-url.ts";
import { resolveService } from "../../local/cloud/build/resolve-service.ts";
import { findRoute } from "../../local/cloud/gateway/route-table.ts";
import { Throttle } from "../../local/cloud/gateway/throttle.ts";
import { httpApiOf } from "../../local/cloud/provision.ts";
import { isNight } from "../helpers/by-day.ts";
import { copyProject, removeCopy } from "../helpers/project-copy.ts";

const literal = "k3v9x2m7q1w8e4r6t5y0u3i9";
const seconds = isNight ? 600 : 60;
/** What the platform and users send, evenly, in requests a second. */
const genuine = [
  ["POST", "/webhooks/app", 200],
  ["POST", "/before-message/app", 20],
  ["POST", "/moderation/app", 20],
  ["POST", "/auth-token/app", 5],
  ["OPTIONS", "/auth-token/app", 5],
] as const;

describe("1,000 unauthenticated requests a second", { timeout: 120_000 }, () => {
  // Plain paths are still served, as where no address is set.
  const folder = copyProject({
    "config/stages.yml": `local: { addresses: [${literal}, ""] }\ndev:\nprod:\n`,
  });
  let api: ReturnType<typeof httpApiOf>;
  beforeAll(async () => {
    const service = { serviceFolder: folder, environment: process.env, log: () => {} };
    api = httpApiOf((await resolveService(service)).definition);
  });
  afterAll(() => removeCopy(folder));

  it("make the gateway refuse genuine ones at every documented path while the platform calls plain paths", () => {
    expect(genuine.map(isRefused((path) => path))).toEqual(genuine.map(() => true));
  });

  it("make the gateway refuse no genuine ones if the platform calls the stage's address", () => {
    const base = `https://host/${literal}`;
    const at = (path: string) =>
      ((path.startsWith("/auth") ? publicUrlOf(base) : base) + path).slice("https://host".length);

    expect(genuine.map(isRefused(at))).toEqual(genuine.map(() => false));
  });

  /** Returns whether a flood on a path makes the gateway refuse genuine requests elsewhere. */
  function isRefused(at: (path: string) => string) {
    const { routes, stageSettings } = api;
    const keyOf = (method: string, path: string) => findRoute(routes, method, path)?.key;
    const callers = genuine.map(([method, path, rate]) => ({ key: keyOf(method, at(path)), rate }));
    expect(callers.map(({ key }) => key)).not.toContain(undefined);
    return ([method, path]: (typeof genuine)[number]) => {
      let nowMs = 0;
      const throttle = new Throttle(() => nowMs);
      const flooded = keyOf(method, path);
      let refused = 0;
      for (; nowMs < seconds * 1_000; nowMs += 1) {
        throttle.admits(flooded, stageSettings);
        for (const { key, rate } of callers) {
          if (nowMs % (1_000 / rate) === 0 && !throttle.admits(key, stageSettings)) refused += 1;
        }
      }
      return refused > 0;
    };
  }
});
