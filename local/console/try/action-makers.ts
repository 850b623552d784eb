import { isRecord } from "../../../lib/base/json.ts";
import type { MemberScope } from "../../platform/store/groups.ts";

/** The platform operations of an action. All throw Error with the platform's answer unless it succeeds. */
export interface ActionContext {
  /** `onBehalfOf` is the acting user. */
  chat(method: string, path: string, body?: object, onBehalfOf?: string): Promise<unknown>;
  /** Does what users do through clients. */
  act(path: string, body?: object): Promise<unknown>;
  /** Creates a group with its owner, if it does not exist. */
  seedGroup(guid: string, owner: string): void;
  /** Restores a user's earlier membership, without an event. */
  placeMember(guid: string, uid: string, where: MemberPlace): void;
  readonly data: Readonly<Record<string, unknown>>;
}

export type MemberPlace = MemberScope | "outside" | "banned";

export interface PlatformAction {
  /** Continues "The platform would". */
  readonly words: string;
  readonly run: (context: ActionContext) => Promise<unknown>;
}

export const onMessage = (
  words: string,
  run: (context: ActionContext, id: string, by: string) => Promise<unknown>,
): PlatformAction => ({
  words,
  run: async (context) => {
    const { data } = context;
    const on = "message.data.entities.on.entity";
    const id = text(data, `${on}.id`, "message.id", "reaction.messageId", "body.messageId");
    const by = text(
      data,
      ...["message.editedBy", "message.deletedBy", "message.pinnedBy", "reaction.uid"],
      ...["body.user.uid", "message.sender"],
    );
    const isThere = await context.chat("GET", `messages/${part(id)}`).then(yes, no);
    await run(context, isThere ? id : await sendAnother(context), by);
  },
});

/** Creates a message for events that name it only by an id, which cannot be chosen. */
async function sendAnother({ chat, data }: ActionContext): Promise<string> {
  const on = "message.data.entities.on.entity";
  const author = text(data, `${on}.sender`, "messageSender", "message.sender", "reaction.uid") || "ann";
  const other = text(data, `${on}.receiver`, "body.user.uid", "message.receiver");
  const receiver = other === "" || other === author ? (author === "bela" ? "ann" : "bela") : other;
  const receiverType = text(data, `${on}.receiverType`, "message.receiverType") || "user";
  const body = { receiver, receiverType, category: "message", type: "text", data: { text: "Hello" } };
  const sent = await chat("POST", "messages", body, author);
  return text({ sent }, "sent.data.id");
}

const yes = () => true;
const no = () => false;

export const inGroup = (
  words: string,
  before: MemberPlace,
  run: (context: ActionContext, of: { guid: string; uid: string; by: string }) => Promise<unknown>,
): PlatformAction => ({
  words,
  run: async (context) => {
    const guid = text(context.data, "group.guid");
    const by = text(context.data, "by.uid", "group.owner");
    context.seedGroup(guid, by);
    for (const uid of Object.keys(record(context.data, "members"))) {
      context.placeMember(guid, uid, before);
      // If the user is not allowed to, the app does it.
      const asApp = () => run(context, { guid, uid, by: "" });
      await (uid === by ? asApp() : run(context, { guid, uid, by }).catch(asApp));
    }
  },
});

export const onGroup = (
  words: string,
  run: (context: ActionContext, guid: string) => Promise<unknown>,
): PlatformAction => ({
  words,
  run: (context) => run(context, text(context.data, "group.guid")),
});

export const onCall = (
  words: string,
  run: (
    context: ActionContext,
    sessionId: string,
    of: { caller: string; callee: string },
  ) => Promise<unknown>,
): PlatformAction => ({
  words,
  run: async (context) => {
    const { data } = context;
    const caller = text(data, "call.data.entities.by.entity.uid", "call.sender") || "ann";
    const receiver = text(data, "call.receiver") || "bela";
    const callee = receiver === caller ? text(data, "call.sender") : receiver;
    const receiverType = text(data, "call.receiverType") || "user";
    const type = text(data, "call.type") || "audio";
    const placed = await context.act("calls", { caller, receiver: callee, receiverType, type });
    await run(
      context,
      text({ placed }, "placed.data.sessionId", "placed.sessionId", "placed.data.sessionid"),
      { caller, callee },
    );
  },
});

export const inMeeting = (
  words: string,
  run?: (context: ActionContext, path: string, uid: string) => Promise<unknown>,
): PlatformAction => ({
  words,
  run: async (context) => {
    const sessionId = text(context.data, "sessionId");
    const uid = text(context.data, "occupant.uid") || "ann";
    await context.act(`meetings/${part(sessionId)}/join`, { uid });
    await run?.(context, `calls/${part(sessionId)}`, uid);
  },
});

export function part(text: string): string {
  return encodeURIComponent(text);
}

export function text(value: Readonly<Record<string, unknown>>, ...paths: readonly string[]): string {
  for (const path of paths) {
    const found = path.split(".").reduce<unknown>(step, value);
    if (typeof found === "string" && found !== "") return found;
  }
  return "";
}

export function record(
  value: Readonly<Record<string, unknown>>,
  path: string,
): Readonly<Record<string, unknown>> {
  const found = path.split(".").reduce<unknown>(step, value);
  return isRecord(found) ? found : {};
}

function step(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
