import { subscribe } from "node:diagnostics_channel";

/** Kills the process before a request is sent or its answer read. Only the local runtime arms it. */
export function createKillSwitch(env) {
  const services = servicesOf(env);
  let wanted;
  let seen = 0;
  let target; // the request whose answer triggers the kill
  let isListening = false;

  const started = (request, { host, operation }) => {
    if (wanted === undefined || target !== undefined) return;
    if (wanted.service !== (services.get(host) ?? "other")) return;
    if (wanted.operation !== undefined && !operation?.endsWith(`.${wanted.operation}`)) return;
    seen += 1;
    if (seen !== wanted.nth) return;
    if (wanted.when === "before") process.kill(process.pid, "SIGKILL");
    target = request;
  };
  const answered = (request) => {
    if (wanted !== undefined && request === target) process.kill(process.pid, "SIGKILL");
  };
  const listen = () => {
    if (isListening) return;
    isListening = true;
    subscribe("http.client.request.created", ({ request }) => {
      started(request, { host: request.getHeader("host"), operation: request.getHeader("x-amz-target") });
    });
    subscribe("http.client.response.finish", ({ request }) => answered(request));
    subscribe("undici:request:create", ({ request }) => {
      started(request, { host: new URL(request.origin).host, operation: undefined });
    });
    subscribe("undici:request:headers", ({ request }) => answered(request));
  };

  return {
    /** @param {string | undefined} order JSON of `{service, operation?, nth, when}`, within one invocation */
    arm(order) {
      wanted = order === undefined ? undefined : JSON.parse(order);
      seen = 0;
      target = undefined;
      if (wanted !== undefined) listen();
    },
    disarm() {
      wanted = undefined;
    },
  };
}

function servicesOf(env) {
  const addresses = {
    sqs: env.AWS_ENDPOINT_URL_SQS,
    dynamodb: env.AWS_ENDPOINT_URL_DYNAMODB,
    secretsmanager: env.AWS_ENDPOINT_URL_SECRETS_MANAGER,
    eventbridge: env.AWS_ENDPOINT_URL_EVENTBRIDGE,
    lambda: env.AWS_ENDPOINT_URL_LAMBDA,
    chat: env.CHAT_BASE_URL_TEMPLATE,
  };
  const known = Object.entries(addresses).filter(([, address]) => address !== undefined);
  return new Map(known.map(([service, address]) => [new URL(address).host, service]));
}
