import { parseJson } from "../../../lib/base/json.ts";
import { flowsStep } from "../../../lib/flows/wake-flows.ts";
import { webhookUrlOf } from "../../../lib/receive/webhook-url.ts";
import { findWebhook } from "../../platform/store/webhooks.ts";
import type { World } from "../../stack/world.ts";
import type { JourneyCopies, JourneyDetail } from "../api/journeys.ts";
import { writeCurl } from "./copy-curl.ts";
import { readSentText, writeRunTriggerTest } from "./copy-test.ts";
import type { Journey } from "./journey.ts";

/** The webhook generation of the receiver's webhook (local/stack/put-webhook.ts). */
const generation = 2;

export function writeCopies(of: {
  readonly world: World;
  readonly journey: Journey;
  readonly detail: JourneyDetail;
  readonly body: string;
  /** Default: the trigger that acted or failed first. */
  readonly handler?: string | undefined;
  readonly withPassword?: boolean;
}): JourneyCopies {
  const { world, journey, detail, body, handler, withPassword = false } = of;
  const { appId, trigger } = journey.facts;
  const { username, password } = credentialsOf(journey, world);
  const delivery = parseJson(body);
  const runs = detail.handling.flatMap(({ attempts }) => attempts.flatMap((attempt) => attempt.runs));
  const isMeant = (name: string) => handler === undefined || name === handler;
  const mine = runs.filter(
    (run) => isMeant(run.handler) && run.handler !== "reading" && run.handler !== flowsStep,
  );
  const first = mine.find(({ outcome }) => ["acted", "started-flow", "failed"].includes(outcome)) ?? mine[0];
  const sent = mine
    .filter((run) => run.handler === first?.handler)
    .flatMap(({ calls }) => calls)
    .filter(({ method, path, status }) => method === "POST" && isMessages(path) && status < 300)
    .flatMap((call) => {
      const text = call.sent?.kind === "text" ? call.sent.text : "";
      return readSentText(parseJson(text), call.onBehalfOf) ?? [];
    });
  return {
    curl: writeCurl({
      ...{ url: webhookUrlOf(world.cloud.httpUrl, appId), username, contentType: "application/json", body },
      password: withPassword ? password : undefined,
    }),
    fixture: `${delivery === undefined ? body : JSON.stringify(delivery, undefined, 2)}\n`,
    test:
      first === undefined
        ? undefined
        : writeRunTriggerTest({ handler: first.handler, trigger, delivery, sent }),
  };
}

function isMessages(path: string): boolean {
  return /\/messages(\?|$)/.test(path);
}

/** The credentials of the delivery's webhook; for other requests, of the local stack's own app. */
function credentialsOf({ origin, facts }: Journey, { platform, webhook }: World) {
  const found =
    origin.kind === "platform"
      ? findWebhook({ db: platform.services.db, appId: facts.appId }, generation, origin.webhookId)
      : undefined;
  const { username = webhook.username, password = webhook.password } = found ?? {};
  return { username, password };
}
