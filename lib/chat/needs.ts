/** Requires the named fields. */
export type Needs<Fields, Name extends keyof Fields> = Fields & {
  readonly [Given in Name]-?: NonNullable<Fields[Given]>;
};

/** Requires one of the optional fields. */
export type AtLeastOne<Fields> = { [Name in keyof Fields]-?: Needs<Fields, Name> }[keyof Fields];

export type ChangeInput<Request, Input> = Request extends `${"PUT" | "PATCH"} ${string}`
  ? IsAllOptional<Input> extends true
    ? AtLeastOne<Input>
    : Input
  : Input;

type IsAllOptional<Input> = string extends keyof Input
  ? false
  : Record<never, never> extends Input
    ? true
    : false;
