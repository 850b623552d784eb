import { composeChatClient } from "../../../lib/chat/compose.ts";
import type { Effect } from "../../../lib/effects/effect.ts";
import { triggerKey } from "../../../lib/effects/ledger.ts";
import type { Platform } from "../../../local/platform/create-platform.ts";
import { defaultSeed } from "../../../local/platform/default-seed.ts";
import { createMemoryTable } from "../../helpers/memory-table.ts";
import { createTestEffects } from "../../helpers/test-effects.ts";

const [app] = defaultSeed.apps;

/** The fate of the write requests of one attempt. */
export type Fate = keyof typeof fates;

type Send = (request: Request) => Promise<Response>;

const silence: Send = async () => {
  const cause = Object.assign(new Error("reset"), { code: "ETIMEDOUT" });
  throw new TypeError("fetch failed", { cause });
};
const never = new Promise<never>(() => {});

/** By its name, what a fate does to the n-th writing request of an attempt, counted from 1. */
export const fates = {
  well: async (request) => fetch(request),
  "the first answer is lost": async (request, count) => {
    const answer = await fetch(request);
    return count === 1 ? silence(request) : answer;
  },
  "each answer is lost": async (request) => {
    await fetch(request);
    return silence(request);
  },
  "the answer is a 503 although it was carried out": async (request) => {
    await fetch(request);
    return Response.json({}, { status: 503 });
  },
  "nothing is carried out, and no answer comes": async (request) => silence(request),
  "the answer is a 200 in an unknown form although it was carried out": async (request) => {
    await fetch(request);
    return Response.json({ data: { outcome: "ok" } });
  },
  "the answer is an empty 200 although it was carried out": async (request) => {
    await fetch(request);
    return new Response(null, { status: 200 });
  },
  "the process dies before": async () => never,
  "the process dies afterwards": async (request) => {
    await fetch(request);
    return never;
  },
} satisfies Record<string, (request: Request, count: number) => Promise<Response>>;

/** Bodies of a 200 that confirm nothing; as text, which JSON cannot always express. */
export const noes = [
  '{"error":{"code":"ERR_SOMETHING_NEW","message":"No."}}',
  '{"error":"No."}',
  '{"data":{"error":{"code":"ERR_EXCEPTION","message":"No."}}}',
  '{"success":false,"message":"No."}',
  '{"data":{"success":false}}',
  "{}",
  '{"data":null}',
  "null",
  '"OK"',
  "",
  "OK",
  "<html>OK</html>",
] as const;

/** A platform, a ledger, and attempts with a fate each. */
export function createMakersWorld(platform: Platform) {
  platform.reset();
  const events: string[] = [];
  platform.subscribe((record) => {
    if (record.type === "event") events.push(record.trigger);
  });
  const time = { nowMs: Date.now() };
  const now = () => time.nowMs;
  const table = createMemoryTable("id");
  const settings = {
    appId: app.appId,
    apiKey: app.fullAccessKey,
    baseUrlTemplate: `${platform.url}/{appId}.{service}-{region}/v3`,
    now,
    sleep: async () => {},
  };
  const chat = composeChatClient(settings, {});

  const effectsOf = (fate: Fate | Send, read: Send = fates.well) => {
    let writes = 0;
    const meet: (request: Request, count: number) => Promise<Response> =
      typeof fate === "function" ? fate : fates[fate];
    const { call } = composeChatClient(
      {
        ...settings,
        fetch: (input, init) => {
          const request = new Request(input, init);
          if (request.method === "GET") return read(request);
          writes += 1;
          return meet(request, writes);
        },
      },
      {},
    );
    return createTestEffects({
      table,
      call,
      appId: app.appId,
      receivedAt: time.nowMs,
      now,
      key: triggerKey({ appId: app.appId, occurrenceKey: "event-1", triggerName: "act" }),
    });
  };

  /** Tries an effect, first with a fate, then without faults until it is done, as the lanes do. */
  const attemptAll = async <T>(effect: Effect<T>, fate: Fate): Promise<T> => {
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      const effects = effectsOf(attempt === 1 ? fate : "well");
      const dies = attempt === 1 && fate.startsWith("the process dies");
      const done = effects.do("it", effect).then(
        (result) => ({ result }),
        (error: unknown) => ({ error }),
      );
      const outcome = await (dies ? Promise.race([done, standStill(platform)]) : done);
      if ("result" in outcome) return outcome.result;
      const isTemporary =
        /Unreachable|EffectNotClear|EffectBusy|stood still/.test(String(outcome.error)) ||
        /HTTP_503|"status":200/.test(JSON.stringify(outcome.error));
      if (!isTemporary) throw outcome.error;
      time.nowMs += 31_000;
    }
    throw new Error("It was not done in ten attempts.");
  };

  return { chat, events, attemptAll, effectsOf, time };
}

/** Waits until the platform has finished its requests. */
async function standStill(platform: Platform): Promise<{ error: Error }> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  await platform.idle();
  for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
  return { error: new Error("It stood still.") };
}
