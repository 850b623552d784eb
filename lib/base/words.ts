/** The words of a text that are separated by single spaces. */
export type Words<Text extends string> = Text extends `${infer Word} ${infer Rest}`
  ? Word | Words<Rest>
  : Text;

/** Creates a record from the words of a text and the value of each. */
export function byWords<const Text extends string, Value>(
  text: Text,
  make: (word: string) => Value,
): { readonly [Word in Words<Text>]: Value };
// The type system cannot follow a key through Object.fromEntries. The signature above gives the type.
export function byWords(text: string, make: (word: string) => unknown): object {
  return Object.fromEntries(text.split(" ").map((word) => [word, make(word)]));
}
