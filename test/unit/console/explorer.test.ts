import { describe, expect, it } from "vitest";
import { createChatClient } from "../../../lib/chat/client.ts";
import { createManagementClient } from "../../../lib/chat/management/management-client.ts";
import type { ExplorerOperation, Fields, FieldType } from "../../../local/console/api/explorer.ts";
import { listFamilies } from "../../../local/console/explorer/list-families.ts";
import {
  innerType,
  namesOf,
  sampleFields,
  sampleOf,
} from "../../../local/console/page/parts/json/field-types.ts";
import {
  addressOf,
  type Given,
  pathNames,
  readAddress,
  toCode,
  toRequest,
} from "../../../local/console/page/views/explorer/request.ts";
import { ownOperations } from "../../../local/platform/catalogue/catalogue.ts";
import { documentedInputs } from "../../../local/platform/catalogue/inputs.ts";

const operations = listFamilies()
  .flatMap((family) => family.operations)
  .filter(({ client }) => client !== undefined);
const each = operations.map((operation) => [operation.id, operation] as const);

/** What the client requires, and no page documents. */
const text = { category: "message", type: "text", data: { text: "Hi" } };
const parameters = { type: "object", properties: {} };
const valid: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "usage-metrics": { fromDate: 1_764_000_000_000, toDate: 1_764_100_000_000 },
  "scrape-single-page": { timeout: 5_000 },
  "create-webhook": { webhookURL: "https://a.example/" },
  "update-webhook": { webhookURL: "https://a.example/" },
  "create-api-tool": { headers: "{}" },
  "update-api-tool": { headers: "{}" },
  "enable-extension": { enabled: ["polls"], disabled: ["avatar"] },
  "add-group-members": { admins: ["ann"], moderators: ["ben"], participants: ["cid"], usersToBan: ["dan"] },
  "create-group": { members: { admins: ["ann"] } },
  "change-group-member-scope": { scope: "admin" },
  "send-message": text,
  "send-bot-message": text,
  "send-thread-message": text,
  "create-tool": { parameters },
  "update-tool": { parameters },
  "create-app": { version: "3" },
  "approve-moderation-blocked-messages": { status: "approved" },
  "replace-global-pinned-conversations": { pinnedConversations: [{ uid: "ann" }] },
  "notifications-push-mute-conversations": { conversations: [] },
  "notifications-push-register-token": { platform: "fcm_ios", deviceToken: undefined, voipToken: undefined },
  "import-members": { members: { a_member_a: { memberId: "a_member_a", guid: "a", uid: "a" } } },
  // The client sends the message's id itself.
  "flag-a-message": { id: undefined },
  // The page calls it a text.
  PushNotificationsController_findByReceiver: { limit: 10 },
};

describe("the operations", () => {
  it("are those of the catalogue, each once", () => {
    expect(operations.map(({ id }) => id).sort()).toEqual(
      ownOperations()
        .map(({ id }) => id)
        .sort(),
    );
  });

  it("have forms that start with the required fields, and offer every field", () => {
    const inputs = new Map(documentedInputs().map((input) => [`${input.api} ${input.id}`, input]));
    for (const { api, id, fields } of ownOperations()) {
      const { query = {}, body = {} } = inputs.get(`${api} ${id}`) ?? {};
      const operation = operations.find((one) => one.id === id);
      const form = { ...operation?.query, ...operation?.body };
      const required = Object.keys({ ...query, ...body }).filter((name) => name.endsWith("!"));
      const offered = namesOf(form).map((name) => name.replace(/\[.*/, ""));

      expect({ id, begins: Object.keys(sampleFields(form)).map((name) => `${name}!`) }).toEqual({
        id,
        begins: required,
      });
      expect({ id, offered: new Set(offered) }).toEqual({ id, offered: new Set(fields) });
    }
  });

  it.each(each)("include %s, whose code sends the same as its form", async (_id, operation) => {
    const [url, init] = toRequest(operation, givenTo(operation));
    const address = url.replace(/^\/api\/(management|(chat|call)\/local-app)/, "");

    const sent = await run(toCode(operation, givenTo(operation)) ?? "");

    expect(addressOf(operation, readAddress(operation, address))).toBe(address);
    expect(sent).toMatchObject({
      method: init.method,
      path: address,
      onBehalfOf: operation.onBehalfOf === "required" ? "alice" : null,
      body: bodyOf(init.body),
    });
  });
});

function givenTo(operation: ExplorerOperation): Given {
  const { id, path, query, body, onBehalfOf } = operation;
  const own = valid[id] ?? {};
  const fill = (fields: Fields, names: readonly string[]) =>
    Object.fromEntries(
      names.map((name) => [name, Object.hasOwn(own, name) ? own[name] : full(innerType(fields, name))]),
    );
  return {
    appId: "local-app",
    region: "us",
    scope: "",
    engine: "",
    path: pathNames(path).map((name) => (name === "appId" ? "local-app" : `a-${name}`)),
    query: fill(query, Object.keys(sampleFields(query))),
    body: JSON.stringify(fill(body, namesOf(body))),
    onBehalfOf: onBehalfOf === "required" ? "alice" : "",
  };
}

/** Every field, also of lists' items. */
function full(type: FieldType | undefined): unknown {
  if (typeof type === "object" && type[0] !== undefined) return [full(innerType(type, "0"))];
  const names = namesOf(type);
  if (names.length === 0 && typeof type === "object") return { a: full(innerType(type, "a")) };
  if (names.length > 0) return Object.fromEntries(names.map((name) => [name, full(innerType(type, name))]));
  return type === "string[]" ? ["a"] : sampleOf(type) || "a";
}

/** Runs code with clients whose requests go nowhere. */
async function run(code: string) {
  let held: Request | undefined;
  const hold: typeof fetch = async (input, init) => {
    held = new Request(input, init);
    return Response.json({ error: { code: "ERR_BAD_REQUEST", message: "Held back." } }, { status: 400 });
  };
  const chat = createChatClient({ appId: "local-app", apiKey: "x".repeat(40), fetch: hold });
  const credentials = { key: "a", secret: "b" };
  const basicAuth = { username: "a", password: "b" };
  const management = createManagementClient({ credentials, basicAuth, fetch: hold });
  const call = new Function("chat", "management", `return (async () => { ${code} })();`);
  const refusal: unknown = await call(chat, management).catch((error: unknown) => error);
  if (held === undefined) throw refusal;
  const { pathname, search } = new URL(held.url);
  const isForm = held.headers.get("content-type")?.startsWith("multipart/");
  return {
    method: held.method,
    path: pathname.replace(/^\/v3/, "") + search,
    onBehalfOf: held.headers.get("onbehalfof"),
    body: bodyOf(isForm ? await held.formData() : await held.text()),
  };
}

function bodyOf(body: unknown): unknown {
  if (body instanceof FormData) return [...body.keys()].sort();
  return typeof body === "string" && body !== "" ? JSON.parse(body) : {};
}
