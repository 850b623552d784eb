import { declareNone, describeLack, lacksFeature, planHint } from "../../chat/lacks-feature.ts";
import { reasons } from "../../chat/resources/moderation-rules.ts";
import { chatOf, type SecretCredentials } from "./app-secret-state.ts";
import type { DoctorServices } from "./doctor-services.ts";
import { type Found, unknown } from "./finding.ts";

/** Moderation alone: public tests saw plans without it. The other checks report other errors. */
export async function checkPlan(
  credentials: SecretCredentials,
  services: DoctorServices,
): Promise<readonly Found[]> {
  try {
    await chatOf(credentials, services, { reasons }).reasons.list({}).page();
    return [];
  } catch (error) {
    return lacksFeature(error) ? [unknown(describeLack(error), `${planHint} If not, ${declareNone}`)] : [];
  }
}
