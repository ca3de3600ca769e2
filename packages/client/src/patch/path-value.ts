/**
 * The type of the value at the path of an attribute.
 * @module
 */
import type { JsonValue } from "@scim/schemas";

type Element<Value> = Value extends readonly (infer One)[] ? One : Value;

type Plain<Input, Path extends string> = Path extends keyof Input
  ? NonNullable<Input[Path]>
  : Path extends `${infer Name}.${infer Sub}`
    ? Name extends keyof Input
      ? Sub extends keyof Element<NonNullable<Input[Name]>>
        ? NonNullable<Element<NonNullable<Input[Name]>>[Sub]>
        : never
      : never
    : never;

/** Extensions stand in an input under their URN. */
type InExtension<Input, Path extends string, Urn extends keyof Input> = Urn extends `${string}:${string}`
  ? Path extends `${Urn}:${infer Rest}`
    ? Plain<NonNullable<Input[Urn]>, Rest>
    : never
  : never;

/** The value that a client may write at a path; `never` where the attribute is readOnly. */
export type PathValue<Input, Path extends string> = string extends keyof Input
  ? JsonValue
  : Plain<Input, Path> | InExtension<Input, Path, keyof Input>;
