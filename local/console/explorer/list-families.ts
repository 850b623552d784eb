import { allFamilies } from "../../../lib/chat/client.ts";
import { appSettings, apps, team, tenants } from "../../../lib/chat/management/apps.ts";
import { settingsOperations } from "../../../lib/chat/management/extension-settings.ts";
import { extensions } from "../../../lib/chat/management/extensions.ts";
import { webhooks } from "../../../lib/chat/management/webhooks.ts";
import type { Family, Operation } from "../../../lib/chat/operation.ts";
import { type Fields, ownOperations } from "../../platform/catalogue/catalogue.ts";
import { documentedInputs } from "../../platform/catalogue/inputs.ts";
import type { CatalogueOperation } from "../../platform/catalogue/operations.ts";
import type { ExplorerFamily, ExplorerOperation } from "../api/explorer.ts";

const managementFamilies = { apps, tenants, team, appSettings, webhooks, extensions };

const apis = {
  chat: "Chat",
  calls: "Calls",
  import: "Data import",
  campaigns: "Campaigns",
  agents: "AI agents",
  management: "Management",
} as const satisfies Record<CatalogueOperation["api"], string>;

const serviceFields = {
  "url!": "string",
  onError: "approve-message|drop-message",
  contextMessages: "integer",
  username: "string",
  password: "string",
};

const scriptFields = {
  "script!": [
    { when: "string", calls: [{ "tool!": "string", with: "object" }], say: "string", card: "object" },
  ],
} as const;

/** Resources without an operation: from the dashboard, or standing for a model. */
const emulationOnly = [
  setUp("moderationServices", [
    ["list-moderation-services", "GET", "/moderation-services"],
    ["save-moderation-service", "PUT", "/moderation-services/{listId}", serviceFields],
    ["delete-moderation-service", "DELETE", "/moderation-services/{listId}"],
  ]),
  setUp("agentScripts", [
    ["get-agent-script", "GET", "/agents/{uid}/script"],
    ["replace-agent-script", "PUT", "/agents/{uid}/script", scriptFields],
  ]),
];

function setUp(
  title: string,
  rows: readonly (readonly [id: string, verb: string, path: string, body?: Fields])[],
): ExplorerFamily {
  const operations = rows.map(([id, verb, path, body = {}]): ExplorerOperation => {
    const [name = ""] = id.split("-");
    return {
      id,
      verb,
      body,
      method: `${title}.${name}`,
      path: `/apps/{appId}${path}`,
      service: "platform",
      query: {},
      isForm: false,
      csv: [],
      isBasic: false,
      takesInput: verb === "PUT",
      onBehalfOf: "unsupported",
      paged: name === "list" ? "once" : undefined,
    };
  });
  return { api: "Emulation only", title, operations };
}

export function listFamilies(): ExplorerFamily[] {
  const catalogue = new Map(ownOperations().map((operation) => [operation.id, operation]));
  const show = shower();
  const familiesOf = (client: "chat" | "management", families: Readonly<Record<string, Family>>) =>
    Object.entries(families).map(([title, family]): ExplorerFamily => {
      const listed = Object.entries(family).flatMap(([name, operation]) => {
        const found = catalogue.get(operation.id);
        return found === undefined
          ? []
          : [{ ...found, shown: show(found, operation, { client, method: `${title}.${name}` }) }];
      });
      return { api: apis[listed[0]?.api ?? "chat"], title, operations: listed.map(({ shown }) => shown) };
    });
  const settings = ownOperations().flatMap((listed) => {
    const [, extension] = /^\/apps\/\{appId\}\/extensions\/([\w-]+)\/v\d\/settings$/.exec(listed.path) ?? [];
    if (extension === undefined) return [];
    return Object.entries(settingsOperations)
      .filter(([, { request }]) => request.startsWith(`${listed.method} `))
      .map(([name, operation]) =>
        show(listed, operation, { client: "management", method: `extensionSettings.${name}`, extension }),
      );
  });
  return [
    ...familiesOf("chat", allFamilies),
    ...familiesOf("management", managementFamilies),
    { api: apis.management, title: "extensionSettings", operations: settings },
    ...emulationOnly,
  ];
}

type Named = Pick<ExplorerOperation, "client" | "method"> & { readonly extension?: string };

function shower() {
  const inputs = new Map(documentedInputs().map((input) => [`${input.api} ${input.id}`, input]));
  return (listed: CatalogueOperation, operation: Operation, named: Named): ExplorerOperation => {
    const { query = {}, body = {}, form = false } = inputs.get(`${listed.api} ${listed.id}`) ?? {};
    const { id, method: verb, path, onBehalfOf } = listed;
    const { csv = [], paged, cursor, basicAuth = false } = operation;
    return {
      id,
      verb,
      path,
      onBehalfOf,
      query,
      isForm: form,
      csv,
      paged,
      cursor,
      isBasic: basicAuth,
      ...named,
      takesInput: operation.input !== undefined,
      service: listed.api === "management" ? "management" : (operation.service ?? "chat"),
      body: { ...body, ...withoutType(listed, { ...query, ...body }) },
    };
  };
}

function withoutType({ fields }: CatalogueOperation, typed: Fields): Fields {
  const known = new Set(Object.keys(typed).map((name) => name.replace(/!$|\[.*/, "")));
  return Object.fromEntries(fields.filter((name) => !known.has(name)).map((name) => [name, "string"]));
}
