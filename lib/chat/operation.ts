import type * as z from "zod/mini";
import type { Paged } from "./pagination.ts";

/** A schema that checks values on their way in or out. */
export type Schema<Output = unknown, Input = unknown> = z.ZodMiniType<Output, Input>;

/**
 * Describes one operation of the platform: plain data without side effects, so that a bundler drops what is not used
 * and loading it costs nothing. Schemas are built at the first call.
 */
export interface Operation {
  /** Operation id of the platform's catalogue. */
  readonly id: string;
  /** Method and path; path parameters become the method's first arguments, in this order. */
  readonly request: `${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /${string}`;
  /** Whether the operation acts as a user; absent where the platform does not list the header. */
  readonly onBehalfOf?: "required" | "optional";
  /** Checks the input: the query of a GET, else the body. */
  readonly input?: () => Schema;
  /** Input fields that go into the query although the request has a body. */
  readonly inQuery?: readonly string[];
  /** Array fields of the query sent as one comma-separated value; others repeat their key. */
  readonly csv?: readonly string[];
  /** The body is multipart/form-data. */
  readonly form?: true;
  /** The answer is a list: `page` counts pages, `cursor` follows meta.next, `once` has no next page. */
  readonly paged?: "page" | "cursor" | "once";
  /** Reads `data` of the answer; of a list, one item. */
  readonly answer: () => Schema;
  /** Which fields of the next cursor go into which query fields. Default: all of them, under their own names. */
  readonly cursor?: Readonly<Record<string, string>>;
  /**
   * Counts against a smaller budget than the standard one: core operations, or imports
   * (docs/platform/answers-and-errors.md#rate-limits, docs/platform/import-and-metrics.md#import-limits).
   */
  readonly rateClass?: "core" | "import";
  /** Sent with HTTP Basic beside the client's other credentials. */
  readonly basicAuth?: true;
  /** Lives on the Calls host. */
  readonly service?: "call";
}

/** Operations of one resource family, by method name. */
export type Family = Readonly<Record<string, Operation>>;

/** What every method accepts last. */
export interface RequestOptions {
  /** Ends the request; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Longest time for one try, in milliseconds. Default: the client's, 10_000. */
  readonly timeoutMs?: number | undefined;
  /** Moment (unix milliseconds) after which no try is started or goes on, for instance `now() + context.getRemainingTimeInMillis() - 500`. */
  readonly deadlineMs?: number | undefined;
}

interface CheckOption<Answer> {
  /**
   * Looks whether an earlier try was carried out after all and answers its result, else undefined. With it, a POST or
   * PATCH is tried again also after failures that leave this open.
   */
  readonly alreadyDone?: (() => Promise<Answer | undefined>) | undefined;
}

/** The methods a family has on a client. */
export type FamilyClient<F extends Family> = { readonly [Name in keyof F]: Method<F[Name]> };

/** The function that calls one operation. */
export type Method<O extends Operation> = (...args: ArgumentsOf<O>) => Result<O>;

/** What an operation's method takes: path values, input, options. */
export type ArgumentsOf<O extends Operation> = [
  ...PathArguments<O["request"]>,
  ...InputArgument<O>,
  ...OptionsArgument<O>,
];

/** Calls any operation, given as an imported value. */
export interface CallOperation {
  <O extends SingleOperation>(operation: O, ...args: ArgumentsOf<O>): Promise<AnswerOf<O>>;
  <O extends Operation & { readonly paged: string }>(
    operation: O,
    ...args: ArgumentsOf<O>
  ): Paged<AnswerOf<O>>;
}

/** An operation that gives one answer, and no list. */
export type SingleOperation = Operation & { readonly paged?: never };

/** What an operation answers; of a list, one item. */
export type AnswerOf<O extends Operation> = z.output<ReturnType<O["answer"]>>;

type Result<O extends Operation> = O extends { paged: string } ? Paged<AnswerOf<O>> : Promise<AnswerOf<O>>;

type OptionsArgument<O extends Operation> = O extends { onBehalfOf: "required" }
  ? [options: { /** uid of the acting user */ onBehalfOf: string } & OptionsOf<O>]
  : O extends { onBehalfOf: "optional" }
    ? [
        options?: {
          /** uid of the acting user; absent: the app acts */ onBehalfOf?: string | undefined;
        } & OptionsOf<O>,
      ]
    : [options?: { onBehalfOf?: never } & OptionsOf<O>];

type OptionsOf<O extends Operation> = O["request"] extends `${"POST" | "PATCH"} ${string}`
  ? RequestOptions & CheckOption<AnswerOf<O>>
  : RequestOptions;

type InputArgument<O extends Operation> = O extends { input: () => infer S extends Schema }
  ? O extends { onBehalfOf: "required" }
    ? [input: z.input<S>]
    : Record<never, never> extends z.input<S>
      ? [input?: z.input<S>]
      : [input: z.input<S>]
  : [];

type PathArguments<R extends string> = R extends `${string}{${infer Name}}${infer Rest}`
  ? [...(Name extends keyof PathArgument ? PathArgument[Name] : [id: string]), ...PathArguments<Rest>]
  : [];

/** Names the path parameters, because a template literal cannot name a function's arguments. */
interface PathArgument {
  readonly uid: [uid: string];
  readonly guid: [guid: string];
  readonly id: [id: string];
  readonly role: [role: string];
  readonly scope: [scope: "admin" | "moderator" | "participant"];
  readonly permission: [permission: string];
  readonly apiKey: [apiKey: string];
  readonly authToken: [authToken: string];
  readonly reaction: [reaction: string];
  readonly ruleId: [ruleId: string];
  readonly keywordId: [keywordId: string];
  readonly messageId: [messageId: string];
  readonly providerId: [providerId: string];
  readonly pushToken: [pushToken: string];
  readonly sessionId: [sessionId: string];
  readonly appId: [appId: string];
  readonly webhookId: [webhookId: string];
  readonly extensionId: [extensionId: string];
  readonly version: [version: string];
  readonly channelType: [channelType: string];
  readonly campaignId: [campaignId: string];
  readonly templateId: [templateId: string];
  readonly userId: [uid: string];
}
