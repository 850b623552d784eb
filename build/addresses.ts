import { publicLiteralOf } from "../lib/receive/webhook-url.ts";
import { type Route, type Serverless, stageOf } from "./serverless.ts";
import type { Stage } from "./stages.ts";

/** Only the platform calls an agent's tools. */
const toolRoute = /^\S+ \/agent-tools\//;

export const addressesOutput = "Addresses";

/**
 * Gives each route a path per address of the stage (`addresses` in config/stages.yml, the current one first,
 * "" for plain paths), with equal limits; functions and outputs get the current address. Routes with limits
 * in infrastructure/http-api.yml, the platform's, get the address itself, others the result of
 * `publicLiteralOf`.
 */
export function addAddresses(serverless: Serverless): void {
  const { service } = serverless;
  const { naming } = serverless.getProvider("aws");
  const stage = stageOf(serverless);
  const { addresses = [""] } = stage;
  const extension = service.resources.extensions.HttpApiStage;
  const limits = extension.Properties.RouteSettings;
  const keysOf = (key: string) =>
    addresses.map((address) => {
      if (address === "" || key === "*") return key;
      return key.replace(
        " /",
        ` /${Object.hasOwn(limits, key) || toolRoute.test(key) ? address : publicLiteralOf(address)}/`,
      );
    });
  const base = baseOf(stage);
  for (const { events = [], environment = {} } of Object.values(service.functions)) {
    const served = events.flatMap((event) => {
      if (event.httpApi === undefined) return [event];
      const { method = "*", path = "*", ...others } = toRoute(event.httpApi);
      const key = path === "*" ? "*" : `${method === "*" ? "*" : method.toUpperCase()} ${path}`;
      return [...new Set(keysOf(key))].map((one) => ({ ...event, httpApi: { ...others, ...toRoute(one) } }));
    });
    events.splice(0, events.length, ...served);
    if (base !== undefined && environment.HTTP_API_URL !== undefined) environment.HTTP_API_URL = base;
  }
  const limited = Object.entries(limits).flatMap(([key, limit]) => keysOf(key).map((one) => [one, limit]));
  extension.Properties.RouteSettings = Object.fromEntries(limited);
  // API Gateway refuses settings of routes that do not exist yet.
  extension.DependsOn = limited.map(([key]) => naming.getHttpApiRouteLogicalId(String(key)));
  if (addresses[0] !== "") {
    service.resources.Outputs ??= {};
    service.resources.Outputs[addressesOutput] = { Value: addresses.join(",") };
  }
}

export function nameCurrentAddress(serverless: Serverless): void {
  const url = serverless.service.provider.compiledCloudFormationTemplate.Outputs?.HttpApiUrl;
  const base = baseOf(stageOf(serverless));
  if (base !== undefined && url !== undefined) url.Value = base;
}

function toRoute(route: string | Route): Route {
  if (typeof route !== "string") return route;
  const [method = "*", path = "*"] = route.trim().split(/\s+/);
  return { method, path };
}

/** @returns undefined if it is the HTTP API's own */
function baseOf({ addresses: [current = ""] = [], edgeUrl }: Stage): unknown {
  if (current === "" && edgeUrl === undefined) return undefined;
  const host = edgeUrl ?? { "Fn::GetAtt": ["HttpApi", "ApiEndpoint"] };
  return { "Fn::Join": ["/", [host, ...(current === "" ? [] : [current])]] };
}
