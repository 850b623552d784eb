import { describe, expect, it, onTestFinished } from "vitest";
import { publicUrlOf } from "../../lib/receive/webhook-url.ts";
import { resolveService } from "../../local/cloud/build/resolve-service.ts";
import { findRoute } from "../../local/cloud/gateway/route-table.ts";
import { Throttle } from "../../local/cloud/gateway/throttle.ts";
import { httpApiOf } from "../../local/cloud/provision.ts";
import { copyProject, removeCopy } from "../helpers/project-copy.ts";

const literal = "k3v9x2m7q1w8e4r6t5y0u3i9";
const seconds = 600;
/** What the platform and users send, evenly, in requests a second. */
const genuine = [
  ["POST", "/webhooks/app", 200],
  ["POST", "/before-message/app", 20],
  ["POST", "/moderation/app", 20],
  ["POST", "/auth-token/app", 5],
  ["OPTIONS", "/auth-token/app", 5],
] as const;

describe("a stranger's 1,000 requests a second for ten minutes", { timeout: 120_000 }, () => {
  it("refuse something genuine at every documented path while a stage has no address of its own", async () => {
    const isRefused = await play("local:\ndev:\nprod:\n", (path) => path);

    expect(genuine.map(([method, path]) => isRefused(method, path))).toEqual(genuine.map(() => true));
  });

  it("refuse nothing genuine where the stage has an address, even while plain paths are still served", async () => {
    const base = `https://host/${literal}`;
    const isRefused = await play(`local: { addresses: [${literal}, ""] }\ndev:\nprod:\n`, (path) =>
      ((path.startsWith("/auth") ? publicUrlOf(base) : base) + path).slice("https://host".length),
    );

    expect(genuine.map(([method, path]) => isRefused(method, path))).toEqual(genuine.map(() => false));
  });

  /** Deploys stages, and says of a path whether a flood on it makes the gateway refuse anything genuine. */
  async function play(stages: string, at: (path: string) => string) {
    const folder = copyProject({ "config/stages.yml": stages });
    onTestFinished(() => removeCopy(folder));
    const { definition } = await resolveService({
      serviceFolder: folder,
      environment: process.env,
      log: () => {},
    });
    const { routes, stageSettings } = httpApiOf(definition);
    const keyOf = (method: string, path: string) => findRoute(routes, method, path)?.key;
    const callers = genuine.map(([method, path, rate]) => ({ key: keyOf(method, at(path)), rate }));
    expect(callers.map(({ key }) => key)).not.toContain(undefined);
    return (method: string, path: string) => {
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
