import { requireOperationAccess } from "../access/operation-access.ts";
import { findActor } from "../http/answer-request.ts";
import { runRoute } from "../http/route.ts";
import { type JsonObject, objectOf } from "../json.ts";
import { appRoutes } from "../routes.ts";
import type { AppServices } from "../services/services.ts";
import { listApiKeys } from "../store/apps.ts";
import { Query } from "../store/query.ts";

type Act = {
  operationId: string;
  uid: string;
  params?: Readonly<Record<string, string>>;
  body?: JsonObject;
};

export async function actAs(services: AppServices, act: Act): Promise<unknown> {
  const { operationId, uid, params = {}, body = {} } = act;
  const route = appRoutes.find((one) => one.operationId === operationId);
  const [apiKey] = listApiKeys(services).filter(({ scope }) => scope === "fullAccess");
  if (route === undefined) throw new Error(`There is no operation ${operationId}.`);
  if (apiKey === undefined) throw new Error(`The app ${services.appId} has no key of scope fullAccess.`);
  const query = new Query(new URLSearchParams());
  const param = (name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`The path of ${operationId} needs ${name}.`);
    return value;
  };
  const request = {
    ...services,
    isClient: true,
    apiKey,
    param,
    query,
    body,
    actor: findActor(services, route, uid),
    rawBody: new Uint8Array(),
    contentType: "application/json",
    origin: "",
  };
  requireOperationAccess(request, route);
  return objectOf((await runRoute(route, request)).body).data;
}
