import { createAddress, defaultBaseUrlTemplate, type Region } from "./address.ts";
import { InvalidInputError } from "./errors.ts";
import type { EscapeHatch } from "./escape-hatch.ts";
import type { Guard } from "./guard.ts";
import { createCall, createEscapeHatch, createMethods } from "./methods.ts";
import type { CallOperation, Family, FamilyClient } from "./operation.ts";
import type { PreparedRequest } from "./prepare-request.ts";
import type { RateClass, RateLimitState } from "./rate-budget.ts";
import type { Credentials } from "./send-request.ts";
import { createTransport, type Transport, type TransportOptions } from "./transport.ts";

/** Where a client's API key comes from, when it can change. */
export interface ApiKeySource {
  /** Gives the key to use now. */
  get(): Promise<string>;
  /** Fetches the key anew; called once for a request that was answered 401, which is then repeated once. */
  refresh(): Promise<string>;
}

/** How to reach one app of the platform. */
export interface ChatClientOptions extends TransportOptions {
  /** The app, as the dashboard shows it. */
  readonly appId: string;
  /** Where the app lives: us, eu or in; anything else is refused. Default: us. */
  readonly region?: Region | (string & {}) | undefined;
  /** A key of scope fullAccess, or where to get one. */
  readonly apiKey: string | ApiKeySource;
  /** Address with `{appId}`, `{service}`, `{region}`. Default: the platform's own. */
  readonly baseUrlTemplate?: string | undefined;
}

/** What every client offers beside its families. */
export interface ChatClientBase extends EscapeHatch {
  /**
   * Calls any operation, given as an imported value, as its method would.
   * @example await chat.call(groups.get, guid)
   */
  readonly call: CallOperation;
  /**
   * Gives a client of other families on the same connection; nothing is sent.
   * @example const { members } = chat.using({ members });
   */
  using<const Families extends Readonly<Record<string, Family>>>(
    families: Families,
  ): ComposedChatClient<Families>;
  /** Tells what is left of the requests per minute, per class, as far as the last answers say. */
  rateLimit(): Readonly<Record<RateClass, RateLimitState>>;
}

/** A client with the given families. */
export type ComposedChatClient<Families extends Readonly<Record<string, Family>>> = ChatClientBase & {
  readonly [Name in keyof Families]: FamilyClient<Families[Name]>;
};

/**
 * Creates a client that offers the given families and bundles nothing else: the small form, for functions.
 * @throws InvalidInputError for an unknown region, an odd app id or key, or an unsafe address; nothing is sent.
 * @example const chat = composeChatClient({ appId, region, apiKey }, { messages });
 */
export function composeChatClient<const Families extends Readonly<Record<string, Family>>>(
  options: ChatClientOptions,
  families: Families,
): ComposedChatClient<Families> {
  return composeOn(openConnection(options), families);
}

/** One app's address, credentials and budgets: what several clients of the app share. */
export interface Connection {
  readonly transport: Transport;
  /** The host and port that requests of a service go to. */
  readonly hostOf: (service: PreparedRequest["service"]) => string;
}

/**
 * Prepares the way to an app; nothing is sent.
 * @throws InvalidInputError for an unknown region, an odd app id or key, or an unsafe address
 */
export function openConnection(options: ChatClientOptions): Connection {
  const { appId, region = "us", apiKey, baseUrlTemplate = defaultBaseUrlTemplate } = options;
  const address = createAddress({ appId, region, baseUrlTemplate });
  return {
    transport: createTransport(address, apiKeyCredentials(apiKey), options),
    hostOf: (service) => new URL(address(service)).host,
  };
}

/** Makes a client on a connection that others use too; `guard` stands before each of its requests. */
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
    ...createEscapeHatch(guarded),
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
    refresh: async () => ({ apikey: checkKey(await apiKey.refresh()) }),
  };
}

/** A key with a line break would make fetch throw an error that quotes it. */
function checkKey(apiKey: unknown): string {
  if (typeof apiKey === "string" && /^[\x21-\x7e]{1,200}$/.test(apiKey)) return apiKey;
  throw new InvalidInputError(
    "createChatClient",
    "apiKey",
    "a key without spaces or line breaks (40 hexadecimal characters)",
  );
}
