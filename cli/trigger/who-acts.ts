import type { DeployedFacts } from "../../lib/operate/doctor/deployed-facts.ts";
import { needsOf } from "../../lib/operate/doctor/doctor-services.ts";

export function whoActs(facts: DeployedFacts, appId: string, trigger: string): readonly string[] {
  const ofApp = needsOf(facts, appId);
  if (ofApp === undefined) return [];
  const named = [ofApp.webhook, ofApp.elsewhere].flatMap((actors) =>
    Object.hasOwn(actors, trigger) ? (actors[trigger] ?? []) : [],
  );
  return [...new Set([...named, ...ofApp.everything])].toSorted();
}
