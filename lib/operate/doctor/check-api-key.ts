import { countOf } from "../../base/count-of.ts";
import { rememberSecret } from "../../base/known-secrets.ts";
import { regions } from "../../chat/address.ts";
import { ChatApiError } from "../../chat/errors.ts";
import { lacksFeature } from "../../chat/lacks-feature.ts";
import { apiKeys } from "../../chat/resources/keys-and-tokens.ts";
import type { ApiKey } from "../../chat/types/api-keys.ts";
import { chatOf, type SecretCredentials } from "./app-secret-state.ts";
import type { DoctorServices } from "./doctor-services.ts";
import { type Found, ok, wrong } from "./finding.ts";

/**
 * Of this app, in this region, with scope fullAccess: one call that only such keys may make
 * (docs/internals/platform/addressing-and-keys.md#scopes-of-keys).
 * @throws ChatApiError, ChatUnreachableError if the answer says nothing about the key
 */
export async function checkApiKey(credentials: SecretCredentials, services: DoctorServices): Promise<Found> {
  const { appId, apiKey } = credentials;
  const { remedies } = services;
  try {
    const keys = await listKeys(credentials, services);
    const own = keys.find((key) => key.apiKey === apiKey);
    if (own?.scope === "authOnly") return wrong(tooSmall, remedies.replaceKey(appId));
    return ok(
      `The platform accepts the API key (fullAccess${ageOf(own, services.now())}${fullnessOf(keys)}).`,
    );
  } catch (error) {
    if (!(error instanceof ChatApiError)) throw error;
    if (error.code === "AUTH_ERR_INVALID_APPID") return await wrongRegion(credentials, services);
    const says =
      error.code === "AUTH_ERR_APIKEY_NOT_FOUND"
        ? "The platform refuses the API key: it was revoked, or is another app's."
        : error.code === "AUTH_ERR_NO_ACCESS" || (error.status === 403 && !lacksFeature(error))
          ? tooSmall
          : error.status === 401
            ? "The platform refuses the API key."
            : undefined;
    if (says === undefined) throw error;
    return wrong(says, remedies.replaceKey(appId));
  }
}

const tooSmall =
  "The API key's scope is too small: it must be fullAccess, which the dashboard calls a REST API key.";

async function wrongRegion(credentials: SecretCredentials, services: DoctorServices): Promise<Found> {
  const { appId, region } = credentials;
  const { remedies } = services;
  const others = await Promise.all(
    regions
      .filter((other) => other !== region)
      .map(async (other) => ({ other, isThere: await isAppOf({ ...credentials, region: other }, services) })),
  );
  const there = others.find(({ isThere }) => isThere === true)?.other;
  if (there !== undefined) {
    return wrong(
      `The platform knows the app in region ${there}, and the secret says ${region}.`,
      remedies.setRegion(appId, there),
    );
  }
  const silent = others.flatMap(({ other, isThere }) => (isThere === undefined ? [other] : []));
  if (silent.length > 0) {
    return wrong(
      `The platform knows no app ${appId} in region ${region}; whether it is in ${silent.join(" or ")} is unknown, because there was no answer.`,
      remedies.setUpApp(appId),
    );
  }
  return wrong(
    `The platform knows no app ${appId}, in region ${region} or another: its id may be mistyped, or the app be gone.`,
    remedies.setUpApp(appId),
  );
}

/** An answer about the key means that the app exists there. */
async function isAppOf(
  credentials: SecretCredentials,
  services: DoctorServices,
): Promise<boolean | undefined> {
  return listKeys(credentials, services).then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof ChatApiError) || !error.code.startsWith("AUTH_ERR_")) return undefined;
      return error.code !== "AUTH_ERR_INVALID_APPID";
    },
  );
}

async function listKeys(
  credentials: SecretCredentials,
  services: DoctorServices,
): Promise<readonly ApiKey[]> {
  const { items } = await chatOf(credentials, services, { apiKeys }).apiKeys.list({}).page();
  for (const key of items) rememberSecret(key.apiKey);
  return items;
}

function ageOf(key: ApiKey | undefined, nowMs: number): string {
  if (key?.createdAt === undefined) return "";
  const days = Math.floor((nowMs / 1000 - key.createdAt) / 86_400);
  return `, ${countOf(days, "day")} old${days > oldDays ? ": time to rotate it" : ""}`;
}

/** No documentation demands less. */
const oldDays = 365;

/** docs/internals/platform/addressing-and-keys.md#api-keys */
const mostKeys = 25;

function fullnessOf({ length }: readonly ApiKey[]): string {
  return length < mostKeys - 1 ? "" : `, ${length} of ${mostKeys} keys are used: a rotation needs a free one`;
}
