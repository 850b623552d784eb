import { readStages, toAppIds } from "./stages.ts";

/**
 * Refuses to deploy without CHAT_APP_ID: the stack would serve an app that does not exist, and answer the real one's
 * deliveries with 401. Refuses another app, too, than those that config/stages.yml names for the stage, if it names any.
 * Packaging and running locally do without.
 */
export default class RequireAppId {
  /** @param {{ serviceDir: string, service: { provider: { stage: string, environment?: { CHAT_APP_IDS?: string } } } }} serverless */
  constructor({ serviceDir, service }) {
    this.hooks = {
      "before:deploy:deploy": async () => {
        if (!process.env.CHAT_APP_ID) {
          throw new Error(
            "CHAT_APP_ID is not set. Deploy with the app's id: CHAT_APP_ID=<appId> npx serverless deploy …",
          );
        }
        const { stage, environment } = service.provider;
        const named = (await readStages(serviceDir)).get(stage) ?? [];
        const other = toAppIds(environment?.CHAT_APP_IDS).find((appId) => !named.includes(appId));
        if (named.length === 0 || other === undefined) return;
        throw new Error(
          `The stage ${stage} serves ${named.join(", ")}, and not ${other}: see config/stages.yml and CHAT_APP_ID.`,
        );
      },
    };
  }
}
