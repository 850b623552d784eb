import * as z from "zod/mini";
import { sideBySide } from "../../lib/base/side-by-side.ts";
import type { AppGround } from "./app-ground.ts";
import { judgeSecret } from "./app-secret.ts";
import type { FoundSecret, SecretStore } from "./secret-store.ts";

/** An app that a stage lists, serves, or has a secret for. */
export const listedAppSchema = z.strictObject({
  appId: z.string(),
  isListed: z.boolean(),
  /** Null if the deployment does not say. */
  isServed: z.nullable(z.boolean()),
  secret: z.enum(["complete", "incomplete", "of another app", "being deleted", "missing", "unreadable"]),
  /** Fields of the secret that are missing or invalid. */
  lacking: z.readonly(z.array(z.string())),
  secretChangedAt: z.nullable(z.string()),
});

export type ListedApp = z.infer<typeof listedAppSchema>;

/**
 * Lists every app of a stage: first in the order of config/apps.yml, then the unlisted ones. Changes nothing.
 */
export async function listApps(options: {
  readonly listed: readonly string[];
  readonly served: readonly string[] | undefined;
  readonly secrets: SecretStore;
  readonly ground: Pick<AppGround, "secretPrefix" | "secretIdOf">;
  readonly progress: (done: number, all: number) => void;
}): Promise<readonly ListedApp[]> {
  const { listed, served, secrets, ground, progress } = options;
  const beginning = `${ground.secretPrefix}/`;
  const known = new Map(
    (await secrets.list(beginning)).map((secret) => [secret.name.slice(beginning.length), secret]),
  );
  const others = [...known.keys()].filter((appId) => !/^management(-|$)|\//.test(appId));
  const appIds = [...new Set([...listed, ...(served ?? []), ...others])];
  let done = 0;
  return sideBySide(appIds, atOnce, async (appId) => {
    // A list may be minutes old; reading one secret is always current.
    const secret = known.get(appId) ?? (await secrets.find(ground.secretIdOf(appId)));
    const state = await stateOf(appId, secret, secrets);
    done += 1;
    progress(done, appIds.length);
    return {
      appId,
      isListed: listed.includes(appId),
      isServed: served?.includes(appId) ?? null,
      ...state,
      secretChangedAt: secret?.changedAtMs === undefined ? null : new Date(secret.changedAtMs).toISOString(),
    };
  });
}

/** Far below Secrets Manager's rate limit of an account. */
const atOnce = 8;

async function stateOf(
  appId: string,
  secret: FoundSecret | undefined,
  secrets: SecretStore,
): Promise<Pick<ListedApp, "secret" | "lacking">> {
  if (secret === undefined) return { secret: "missing", lacking: [] };
  if (secret.state === "being deleted") return { secret: "being deleted", lacking: [] };
  try {
    const judged = judgeSecret(secret.name, appId, await secrets.read(secret.name));
    return { secret: judged.state, lacking: judged.lacking };
  } catch (error) {
    // Deleted since it was listed, or unreadable for this caller: the other apps are still listed.
    if (error instanceof Error && /^(InvalidRequest|AccessDenied|DecryptionFailure)/.test(error.name)) {
      return { secret: "unreadable", lacking: [] };
    }
    throw error;
  }
}
