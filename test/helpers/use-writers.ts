import type { ConsoleUnderTest } from "./use-console.ts";

export interface Writers {
  /** Posts to the platform's API. @returns the id of the created or changed resource */
  post(path: string, body: object, uid?: string, method?: string): Promise<string>;
  /** By default as a new user, so that conversations are independent. @param more fields of the message */
  write(text: string, uid?: string, more?: object): Promise<string>;
}

/** Users who write to one receiver. */
export function useWriters(tested: ConsoleUnderTest, receiver: string): Writers {
  const people = new Set<string>();
  const post: Writers["post"] = async (path, body, uid, method = "POST") => {
    const { platform, app } = tested.world;
    const answer = await fetch(`${platform.appUrl(app.appId)}${path}`, {
      method,
      headers: {
        apikey: app.fullAccessKey,
        "content-type": "application/json",
        ...(uid !== undefined && { onBehalfOf: uid }),
      },
      body: JSON.stringify(body),
    });
    return String(JSON.parse(await answer.text()).data.id);
  };
  return {
    post,
    async write(text, uid = `person-${people.size + 1}`, more = {}) {
      if (!people.has(uid)) await post("/users", { uid, name: uid });
      people.add(uid);
      const message = { receiver, receiverType: "user", type: "text", data: { text }, ...more };
      return post("/messages", message, uid);
    },
  };
}
