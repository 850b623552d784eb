import {
  type Application,
  Comment,
  CommentTag,
  type Context,
  Converter,
  DeclarationReflection,
  ReflectionKind,
} from "typedoc";

/** The headings of a door's page, in their order; what no rule names stands under the last. */
export const categories = [
  "Start here",
  "Families",
  "Families, for composing",
  "Effects",
  "What is shipped",
  "Hosts",
  "Stores",
  "Answers and access",
  "Errors",
  "What calls take",
  "What calls answer",
  "Events",
  "What events hold",
  "What builders take and make",
  "More",
] as const;
type Category = (typeof categories)[number];

/** Sorts what a door exports by what it is for; a `@category` in the code wins. */
export function sortIntoCategories(app: Application): void {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, (context: Context) => {
    for (const module of context.project.getReflectionsByKind(ReflectionKind.Module)) {
      if (!(module instanceof DeclarationReflection)) continue;
      for (const one of module.children ?? []) {
        sortOne(one, context.project.getSymbolIdFromReflection(one)?.packagePath ?? "");
      }
      module.name = `cometchat-functions/${module.name.replace(/^package\//, "")}`;
    }
  });
}

function sortOne(one: DeclarationReflection, file: string): void {
  const category = categoryOf(one, file);
  // Functions carry their comments on their signatures.
  for (const holder of one.signatures ?? [one]) {
    holder.comment ??= new Comment();
    if (holder.comment.getTag("@category") !== undefined) continue;
    holder.comment.blockTags.push(new CommentTag("@category", [{ kind: "text", text: category }]));
  }
}

/** What a reader looks for first, door by door. */
const first =
  /^(?:create(?:Chat|Management)Client|composeChatClient|create(?:WebhookReceiver|Platform|SqliteStore|SqsStore)|(?:Chat|AuthOnlyChat|ComposedChat|Management)Client(?:Base|Options)?|on[A-Z]\w+|define[A-Z]\w+|start[A-Z]\w+|run[A-Z]\w+|parseEvent|identify|suggestTrigger|catalogue|events|derivedEvents|signed(?:Request|LambdaEvent)|configFiles|Platform)$/;

const folders: readonly (readonly [RegExp, Category])[] = [
  [/^lib\/(?:effects|http-effect)\//, "Effects"],
  [/^lib\/(?:escalation|forwarding|replies|welcome)\//, "What is shipped"],
  [/^lib\/webhook\/hosts\//, "Hosts"],
  [/^lib\/webhook\/stores\//, "Stores"],
  [/^lib\/(?:questions\/|own-functions\/(?:jwt|basic|auth))/, "Answers and access"],
];

function categoryOf({ name, kind, type, parent }: DeclarationReflection, file: string): Category {
  if (/(?:Error|ErrorCode)$|^(?:is\w+Error|describeErrorCode|ErrorCodeFacts)$/.test(name)) return "Errors";
  if (first.test(name)) return "Start here";
  if (kind === ReflectionKind.Variable && type?.type === "unknown") return "Families, for composing";
  if (/Client$|^(?:Chat|Management)Families$|^ExtensionSettingsCalls$/.test(name)) return "Families";
  const folder = folders.find(([pattern]) => pattern.test(file));
  if (folder !== undefined) return folder[1];
  if (/(?:Input|Query|Options)$/.test(name)) return "What calls take";
  const module = parent?.name ?? "";
  if (module.endsWith("/events") && kind === ReflectionKind.Interface && !ofReading.has(name))
    return name.endsWith("Event") ? "Events" : "What events hold";
  if (module.endsWith("/testing") && /Facts$|^EventEnvelope$|Body$/.test(name))
    return "What builders take and make";
  return /\/(?:chat|testing)$/.test(module) && kind === ReflectionKind.Interface
    ? "What calls answer"
    : "More";
}

/** What is told about reading events, not in them. */
const ofReading: ReadonlySet<string> = new Set([
  "CatalogueEntry",
  "DeliveryContext",
  "EventCatalogue",
  "Identity",
  "Oddity",
  "Problem",
  "RefusedEvent",
  "TriggerSuggestion",
  "UnderstoodEvent",
]);
