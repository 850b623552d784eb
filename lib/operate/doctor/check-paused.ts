import { pauseWord } from "../../effects/health/pause-settings.ts";
import { createShadowStore } from "../../effects/shadow/shadow-settings.ts";
import { createPauseStore, listPauses } from "../../queue/pauses/pause-store.ts";
import type { DeployedFacts } from "./deployed-facts.ts";
import type { DoctorServices } from "./doctor-services.ts";
import { type Found, ok, wrong } from "./finding.ts";

/** @throws AwsCallError, PauseSettingError */
export async function checkPaused(
  appId: string,
  services: DoctorServices,
  facts: DeployedFacts | undefined,
): Promise<readonly Found[]> {
  const [pauses, shadowed] = await Promise.all([
    readPauses(appId, services),
    readShadowed(appId, services, facts),
  ]);
  const { resume } = services.remedies;
  const found = pauses.map(({ target, sinceMs, untilMs, by, reason }): Found => {
    const span = `since ${shown(sinceMs)} until ${shown(untilMs)}`;
    const order = `by ${by}${reason === undefined ? "" : `: ${reason}`}`;
    if (target.kind === "lease")
      return ok(`A listener acts in the deployment's place, ${span}, ordered ${order}.`);
    if (target.kind === "app") return wrong(`The app is paused ${span}, ${order}.`, resume(`app:${appId}`));
    return wrong(
      `The ${target.kind} ${target.name} is paused ${span}, ${order}.`,
      resume(`${pauseWord(target)} --app ${appId}`),
    );
  });
  if (found.length > 0) return found;
  return [
    ok(
      `Nothing is paused${shadowed.length === 0 ? "" : `; only showing what they would do: ${shadowed.join(", ")}`}.`,
    ),
  ];
}

/** No event is handled now. */
export async function isAppPaused(appId: string, services: DoctorServices): Promise<boolean> {
  return (await readPauses(appId, services)).some(
    ({ target }) => target.kind === "app" || target.kind === "lease",
  );
}

async function readPauses(appId: string, { lanes, now }: DoctorServices) {
  // Creates no pauses.
  const store = createPauseStore(lanes, now, () => "");
  return listPauses(await store.read(appId), now());
}

async function readShadowed(
  appId: string,
  { lanes }: DoctorServices,
  facts: DeployedFacts | undefined,
): Promise<readonly string[]> {
  const { set } = await createShadowStore(lanes).read(appId);
  const deployed =
    facts?.triggers.filter(({ isShadowed }) => isShadowed).map(({ name }) => `trigger ${name}`) ?? [];
  const names = new Set([...deployed, ...set.keys()]);
  return [...names].filter((name) => set.get(name) ?? deployed.includes(name)).toSorted();
}

function shown(moment: number): string {
  return `${new Date(moment).toISOString().slice(0, 16)}Z`;
}
