import type { ConsoleUnderTest } from "./use-console.ts";

export interface Writers {
  /** Posts to the platform's API. @returns the id of what was made */
  post(path: string, body: object, uid?: string): Promise<string>;
  /** Somebody writes, by default somebody new: in a conversation of its own, none waits for another. */
  write(text: string, uid?: string): Promise<string>;
}

/** Users who write to one receiver. */
export function useWriters(tested: ConsoleUnderTest, receiver: string): Writers {
  const people = new Set<string>();
  const post = async (path: string, body: object, uid?: string) => {
    const { platform, app } = tested.world;
    const answer = await fetch(`${platform.appUrl(app.appId)}${path}`, {
      method: "POST",
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
    async write(text, uid = `person-${people.size + 1}`) {
      if (!people.has(uid)) await post("/users", { uid, name: uid });
      people.add(uid);
      return post("/messages", { receiver, receiverType: "user", type: "text", data: { text } }, uid);
    },
  };
}
