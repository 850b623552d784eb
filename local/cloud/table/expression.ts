import type { AttributeValue } from "./attribute-value.ts";
import type { Path } from "./path.ts";

// The syntax trees of DynamoDB's expressions, as parsed by condition-parser.ts and update-parser.ts.

export type Operand =
  | { readonly kind: "path"; readonly path: Path }
  | { readonly kind: "value"; readonly value: AttributeValue }
  | { readonly kind: "size"; readonly path: Path };

export type Comparator = "=" | "<>" | "<" | "<=" | ">" | ">=";

export type Condition =
  | { readonly kind: "and" | "or"; readonly parts: readonly Condition[] }
  | { readonly kind: "not"; readonly part: Condition }
  | {
      readonly kind: "compare";
      readonly comparator: Comparator;
      readonly left: Operand;
      readonly right: Operand;
    }
  | { readonly kind: "between"; readonly operand: Operand; readonly low: Operand; readonly high: Operand }
  | { readonly kind: "in"; readonly operand: Operand; readonly candidates: readonly Operand[] }
  | { readonly kind: "exists"; readonly path: Path; readonly isWanted: boolean }
  | { readonly kind: "type"; readonly path: Path; readonly type: Operand }
  | { readonly kind: "beginsWith" | "contains"; readonly left: Operand; readonly right: Operand };

export type SetValue =
  | Operand
  | { readonly kind: "ifNotExists"; readonly path: Path; readonly otherwise: SetValue }
  | { readonly kind: "append"; readonly first: SetValue; readonly second: SetValue }
  | { readonly kind: "sum"; readonly sign: "+" | "-"; readonly left: SetValue; readonly right: SetValue };

export type UpdateAction =
  | { readonly kind: "set"; readonly path: Path; readonly value: SetValue }
  | { readonly kind: "remove"; readonly path: Path }
  | { readonly kind: "add" | "delete"; readonly path: Path; readonly value: AttributeValue };
