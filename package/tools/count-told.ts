import {
  type DeclarationReflection,
  type ProjectReflection,
  ReflectionKind,
  type SignatureReflection,
} from "typedoc";

/** How much a door's docstrings tell of what can be called there. */
export interface Told {
  readonly door: string;
  readonly calls: number;
  /** Operations of the platform, and how many of them name the platform's codes, limits or units. */
  readonly operations: number;
  readonly withCodes: number;
  /** What is missing, such as `createUser does not say which errors it throws.` */
  readonly lacking: readonly string[];
}

/**
 * Looks at what each door exports: everything has a docstring, also each way to call a function; what can be called says which
 * errors it throws or that it throws none, and what takes its time or changes something says whether it may be repeated. The errors of
 * all operations of the platform are told by what they answer, a ChatRequest or a list; their families cite the platform's page.
 */
export function countTold(project: ProjectReflection): readonly Told[] {
  return project.getChildrenByKind(ReflectionKind.Module).map((door) => {
    const own = (door.children ?? []).filter((one) => !one.kindOf(ReflectionKind.Reference));
    const calls = own.flatMap(callsOf);
    const operations = calls.filter(({ call }) => isRequest(call));
    return {
      door: door.name,
      calls: calls.length,
      operations: operations.length,
      withCodes: operations.filter(({ call }) => namesCodes.test(wordsOf(call))).length,
      lacking: [
        ...own.filter(isUndocumented).map(({ name }) => `${name} has no docstring.`),
        ...own
          .filter(isFamily)
          .filter((one) => !citesPlatform.test(wordsOfFamily(one)))
          .map(({ name }) => `${name} cites no page of the platform.`),
        ...calls
          .filter(({ call }) => !isRequest(call) && !saysErrors.test(wordsOf(call)))
          .map(({ name }) => `${name} does not say which errors it throws.`),
        ...calls
          .filter(({ call }) => isAsked(call) && !saysRepeats.test(wordsOf(call)))
          .map(({ name }) => `${name} does not say whether it may be repeated.`),
      ],
    };
  });
}

interface Call {
  readonly name: string;
  readonly call: SignatureReflection;
}

const saysErrors = /@throws|\bErrors?: |\bERR_|\bthrow|\brejects?\b|\brefuse/i;
const saysRepeats = /\brepeat|\bagain\b|\bonce\b|\btwice\b|\bretries\b/i;
const namesCodes = /\bERR_/;
const citesPlatform = /docs\/platform\//;

function callsOf(one: DeclarationReflection): readonly Call[] {
  const members = one.kindOf(ReflectionKind.Class) ? [] : (one.children ?? []);
  return [
    ...(one.signatures ?? []).map((call) => ({ name: one.name, call })),
    ...members.flatMap((member) =>
      (member.signatures ?? []).map((call) => ({ name: `${one.name}.${member.name}`, call })),
    ),
  ];
}

function isUndocumented({ signatures, kind, comment }: DeclarationReflection): boolean {
  const comments =
    kind === ReflectionKind.Function ? (signatures ?? []).map((one) => one.comment) : [comment];
  return comments.some((one) => one?.summary.some(({ text }) => text.trim() !== "") !== true);
}

/** A family's methods; those of a whole client are among its families. */
function isFamily({ name, kind, children = [] }: DeclarationReflection): boolean {
  const methods = children.flatMap((child) => child.signatures ?? []);
  return (
    kind === ReflectionKind.Interface &&
    /[a-z]Client$/.test(name) &&
    !/^(?:AuthOnly)?Chat|^Management/.test(name) &&
    methods.length > 0
  );
}

function wordsOfFamily({ comment, children = [] }: DeclarationReflection): string {
  const methods = children.flatMap(({ signatures = [] }) => signatures);
  return [comment, ...methods.map((method) => method.comment)].map(wordsIn).join(" ");
}

/** A method is told by its own words and by those of the interface that it belongs to. */
function wordsOf({ comment, parent }: SignatureReflection): string {
  const owner = parent.kindOf(ReflectionKind.Interface) ? parent : parent.parent;
  return [comment, parent.comment, owner?.comment].map(wordsIn).join(" ");
}

function wordsIn(comment: DeclarationReflection["comment"]): string {
  const tags = (comment?.blockTags ?? []).flatMap(({ tag, content }) => [
    tag,
    ...content.map(({ text }) => text),
  ]);
  return [...(comment?.summary ?? []).map(({ text }) => text), ...tags].join(" ");
}

function isRequest({ type }: SignatureReflection): boolean {
  return type?.type === "reference" && /^(?:ChatRequest|Paged|RouteResult)$/.test(type.name);
}

function isAsked(call: SignatureReflection): boolean {
  return isRequest(call) || (call.type?.type === "reference" && call.type.name === "Promise");
}
