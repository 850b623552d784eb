/** Fields of which the named ones must be given. */
export type Needs<Fields, Name extends keyof Fields> = Fields & {
  readonly [Given in Name]-?: NonNullable<Fields[Given]>;
};

/** Optional fields of which one must be given. */
export type AtLeastOne<Fields> = { [Name in keyof Fields]-?: Needs<Fields, Name> }[keyof Fields];
