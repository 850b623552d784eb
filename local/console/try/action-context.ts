import { isRecord } from "../../../lib/base/json.ts";
import { seedOfEvent } from "../../platform/seed-of-event.ts";
import { findApp, listApiKeys } from "../../platform/store/apps.ts";

import { deleteBan, deleteMember } from "../../platform/store/groups.ts";
import type { Message } from "../../platform/store/messages.ts";
import type { World } from "../../stack/world.ts";
import { WrongInputError } from "../read-input.ts";
import type { ActionContext } from "./action-makers.ts";
import { seedApp } from "./make-missing.ts";

/** Connects an action to the platform, and creates the users and messages that its event names. */
export function createActionContext(
  { platform }: World,
  appId: string,
  body: Readonly<Record<string, unknown>>,
): ActionContext {
  const { services } = platform;
  const app = findApp(services.db, appId);
  const key = listApiKeys({ db: services.db, appId }).find(({ scope }) => scope === "fullAccess");
  if (app === undefined || key === undefined) {
    throw new WrongInputError(`The platform has no app "${appId}" with a key of scope fullAccess.`, 404);
  }
  const { users, roles, messages, groups } = seedOfEvent(body, appId);
  const isNewMessage = body.trigger === "message_sent";
  const named = [...users, ...usersOfCalls.map((uid) => ({ uid, name: uid }))];
  seedApp(services, { appId, users: named, roles, messages: isNewMessage ? [] : messages.map(beforeIt) });
  // A member after the event must not be one before.
  if (isNewMessage || messages.length > 0) seedApp(services, { appId, groups });
  else if (body.trigger === "group_updated") seedApp(services, { appId, groups });

  const send = async (
    url: string,
    method: string,
    sent: object | undefined,
    headers: Record<string, string>,
  ) => {
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...(sent !== undefined && { "content-type": "application/json" }) },
      ...(sent !== undefined && { body: JSON.stringify(sent) }),
    });
    const answer: unknown = await response.json().catch(() => undefined);
    if (response.ok) return answer;
    const error = isRecord(answer) && isRecord(answer.error) ? answer.error : {};
    throw new WrongInputError(
      `The platform refused it: ${error.message ?? `status ${response.status}`}`,
      409,
    );
  };
  return {
    data: isRecord(body.data) ? body.data : {},
    chat: (method, path, sent, onBehalfOf) =>
      send(`${platform.appUrl(appId, app.region)}/${path}`, method, sent, {
        apikey: key.apiKey,
        ...(onBehalfOf !== undefined && onBehalfOf !== "" && { onBehalfOf }),
      }),
    act: (path, sent = {}) =>
      send(`${platform.url}/_platform/apps/${encodeURIComponent(appId)}/${path}`, "POST", sent, {}),
    seedGroup: (guid, owner) =>
      seedApp(services, { appId, groups: [{ guid, name: guid, owner, members: { [owner]: "admin" } }] }),
    placeMember(guid, uid, where) {
      deleteMember({ db: services.db, appId }, guid, uid);
      deleteBan({ db: services.db, appId }, guid, uid);
      const place =
        where === "banned" ? { banned: [uid] } : where === "outside" ? {} : { members: { [uid]: where } };
      seedApp(services, { appId, groups: [{ guid, name: guid, ...place }] });
    },
  };
}

/** A message as it was before it was deleted or pinned. */
function beforeIt(message: Message): Message {
  const { deletedAt: _, deletedBy: _by, pinnedAt: _pinned, pinnedBy: _pinner, ...before } = message;
  return before;
}

/** Samples of sessions have no uid. */
const usersOfCalls = ["ann", "bela"];
