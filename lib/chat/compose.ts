import { isRecord } from "../base/json.ts";
import { longestTimerMs } from "../base/timers.ts";
import { createAddress, defaultBaseUrlTemplate, isPlainKey, type Region } from "./address.ts";
import {
  checkPlain,
  isFunction,
  type PlainRules,
  plainFunction,
  plainText,
  readPlainly,
} from "./check-plain.ts";
import { InvalidInputError } from "./errors.ts";
import { createEscapeHatch, type EscapeHatch } from "./escape-hatch.ts";
import type { AroundTry } from "./fetch-once.ts";
import { abortOnSignal, guardOptions } from "./given-parts.ts";
import { type ListeningOptions, listenToTries } from "./hooks.ts";
import { createCall, createMethods, isOperation } from "./methods.ts";
import type { CallOperation, Family, FamilyClient } from "./operation.ts";
import type { PreparedRequest, SendOptions } from "./prepare-request.ts";
import type { RateClass, RateLimitState } from "./rate-budget.ts";
import type { Credentials, Sent } from "./send-request.ts";
import { createTransport, type Transport, type TransportOptions } from "./transport.ts";

const isCount = (value: unknown) => typeof value === "number" && Number.isSafeInteger(value) && value >= 1;
const isTime = (value: unknown) => typeof value === "number" && value > 0 && value <= longestTimerMs;
const isPause = (value: unknown) => value === 0 || isTime(value);
const holds = (value: unknown, fields: Readonly<Record<string, (value: unknown) => boolean>>) =>
  isRecord(value) &&
  Object.keys(value).every((name) => Object.hasOwn(fields, name)) &&
  Object.entries(fields).every(([name, isFine]) => value[name] === undefined || isFine(value[name]));

export function isSource(value: unknown): boolean {
  return isRecord(value) && isFunction(value.get) && isFunction(value.refresh);
}

/** @throws InvalidInputError */
export function checkChatClientOptions(maker: string, options: unknown): void {
  const rules: PlainRules = {
    ...commonRules,
    appId: plainText,
    region: plainText,
    apiKey: [
      "a key, or { get, refresh }, each a function",
      (value) => typeof value === "string" || isSource(value),
    ],
    baseUrlTemplate: plainText,
    scope: ["fullAccess or authOnly", (value) => value === "fullAccess" || value === "authOnly"],
  };
  checkPlain(maker, "options", rules, options, ["appId", "apiKey"], true);
}

export const commonRules: PlainRules = {
  fetch: plainFunction,
  now: plainFunction,
  sleep: plainFunction,
  random: plainFunction,
  onTry: plainFunction,
  timeoutMs: ["a number of milliseconds above 0, and at most 24 days", isTime],
  maxConcurrent: ["a whole number of at least 1", isCount],
  retry: [
    "{ maxTries, baseDelayMs, maxDelayMs }: tries of at least 1, pauses of at least 0 milliseconds",
    (value) => holds(value, { maxTries: isCount, baseDelayMs: isPause, maxDelayMs: isPause }),
  ],
  hooks: [
    "{ beforeRequest, afterResponse }, each a function",
    (value) => holds(value, { beforeRequest: isFunction, afterResponse: isFunction }),
  ],
  log: [
    "an object with a function debug, such as console",
    (value) => isFunction(Reflect.get(Object(value), "debug")) && Object(value) === value,
  ],
  userAgent: [
    "1 to 200 printable ASCII characters",
    (value) => typeof value === "string" && /^[\x21-\x7e][\x20-\x7e]{0,199}$/.test(value),
  ],
};

/** May refuse a request or change its limits. Otherwise returns or throws the result of `send`. */
export type Guard = (
  request: PreparedRequest,
  options: SendOptions,
  send: (options: SendOptions) => Promise<Sent>,
) => Promise<Sent>;

/** Provides a key that can change. Both methods may be called again; a request throws their errors. */
export interface ApiKeySource {
  /** Returns the current key. */
  get(): Promise<string>;
  /** Called once per request answered 401, with the key it had. The request is then sent once more. */
  refresh(refused: string): Promise<string>;
}

interface ConnectionOptions extends TransportOptions {
  /** The app's id, as in the dashboard. */
  readonly appId: string;
  /** Default: us. */
  readonly region?: Region | undefined;
  /** A key of scope fullAccess, or its source. */
  readonly apiKey: string | ApiKeySource;
  /** A URL with `{appId}`, `{service}`, `{region}`. Default: the platform's. */
  readonly baseUrlTemplate?: string | undefined;
}

/** Options of an app's client. */
export interface ChatClientOptions extends ConnectionOptions, ListeningOptions {}

/** What every client offers in addition to its families. */
export interface ChatClientBase extends EscapeHatch {
  /**
   * Calls any operation, given as an imported value, like its method.
   * @example await chat.call(groups.get, guid)
   */
  readonly call: CallOperation;
  /**
   * Returns a client of other families on the same connection.
   * @throws InvalidInputError if an argument is not a family
   * @example const { members } = chat.using({ members });
   */
  using<const Families extends Readonly<Record<string, Family>>>(
    families: Families,
  ): ChatClientWith<{ readonly [Name in keyof Families]: FamilyClient<Families[Name]> }>;
  /** Returns the remaining requests per minute and class, as of the last answers. Never throws. */
  rateLimit(): Readonly<Record<RateClass, RateLimitState>>;
}

/** A client with the given families. */
export type ComposedChatClient<Families extends Readonly<Record<string, Family>>> = ChatClientWith<{
  readonly [Name in keyof Families]: FamilyClient<Families[Name]>;
}>;

/** A client typed by its families' interfaces: `ChatClientWith<{ users: UsersClient }>`. */
export type ChatClientWith<Clients> = ChatClientBase & Clients;

/**
 * Creates a client that bundles only the given families.
 * @throws InvalidInputError for an invalid or unknown option; nothing is sent
 * @example const chat = composeChatClient({ appId, region, apiKey }, { messages });
 */
export function composeChatClient<const Families extends Readonly<Record<string, Family>>>(
  options: ChatClientOptions,
  families: Families,
): ChatClientWith<{ readonly [Name in keyof Families]: FamilyClient<Families[Name]> }> {
  checkChatClientOptions("composeChatClient", options);
  checkFamilies("composeChatClient", families);
  const { appId, region, apiKey, baseUrlTemplate } = options;
  const connection = openConnection(
    { appId, region, apiKey, baseUrlTemplate, ...guardOptions(options) },
    listenToTries(options, options.now),
  );
  return checkUsing(composeOn({ transport: abortOnSignal(connection.transport) }, families));
}

/** Deployed functions skip this check. */
function checkUsing<Client extends ChatClientBase>(client: Client): Client {
  const using: ChatClientBase["using"] = (families) => {
    checkFamilies("using", families);
    return checkUsing(client.using(families));
  };
  return { ...client, using };
}

/** @throws InvalidInputError if an argument is not a family of operations */
function checkFamilies(call: string, families: unknown) {
  readPlainly(call, "families", () => {
    const operations = isRecord(families)
      ? Object.values(families).flatMap((family) => (isRecord(family) ? Object.values(family) : [family]))
      : [families];
    if (operations.every(isOperation)) return;
    const rule = "families by their names, such as { messages, users }";
    throw new InvalidInputError(call, "families", rule, families === undefined);
  });
}

export interface Connection {
  readonly transport: Transport;
  readonly hostOf: (service: PreparedRequest["service"]) => string;
}

/** Sends nothing. @throws InvalidInputError as `composeChatClient` */
export function openConnection(options: ConnectionOptions, around?: AroundTry): Connection {
  const { appId, region, apiKey, baseUrlTemplate = defaultBaseUrlTemplate } = options;
  const address = createAddress({ appId, region, baseUrlTemplate });
  return {
    transport: createTransport(address, apiKeyCredentials(apiKey), options, {}, around),
    hostOf: (service) => new URL(address(service)).host,
  };
}

/** `guard` runs before each request. */
export function composeOn<const Families extends Readonly<Record<string, Family>>>(
  connection: Pick<Connection, "transport">,
  families: Families,
  guard?: Guard,
): ComposedChatClient<Families> {
  const { transport } = connection;
  const guarded: Transport =
    guard === undefined
      ? transport
      : {
          ...transport,
          send: (request, options) => guard(request, options, (limited) => transport.send(request, limited)),
        };
  return {
    ...createMethods(guarded, families),
    ...createEscapeHatch(guarded, families),
    call: createCall(guarded),
    using: (others) => composeOn(connection, others, guard),
    rateLimit: transport.rateLimit,
  };
}

function apiKeyCredentials(apiKey: string | ApiKeySource): Credentials {
  if (typeof apiKey === "string") {
    const headers = { apikey: checkKey(apiKey) };
    return { get: async () => headers };
  }
  return {
    get: async () => ({ apikey: checkKey(await apiKey.get()) }),
    refresh: async ({ apikey = "" }) => ({ apikey: checkKey(await apiKey.refresh(apikey)) }),
  };
}

function checkKey(apiKey: unknown) {
  if (isPlainKey(apiKey)) return apiKey;
  throw new InvalidInputError(
    "createChatClient",
    "apiKey",
    "a key without spaces or line breaks (40 hexadecimal characters)",
  );
}
