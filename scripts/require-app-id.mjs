/**
 * Refuses to deploy without CHAT_APP_ID: the stack would serve an app that does not exist, and answer the real one's
 * deliveries with 401. Packaging and running locally do without.
 */
export default class RequireAppId {
  hooks = {
    "before:deploy:deploy": () => {
      if (process.env.CHAT_APP_ID) return;
      throw new Error(
        "CHAT_APP_ID is not set. Deploy with the app's id: CHAT_APP_ID=<appId> npx serverless deploy …",
      );
    },
  };
}
