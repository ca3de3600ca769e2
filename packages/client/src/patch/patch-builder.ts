/**
 * Builds PATCH operations whose paths and values the compiler checks (RFC 7644 §3.5.2).
 * @module
 */
import { patchPath, printPatchPath } from "@scim/filter/ast";
import type { JsonValue, PatchOperation } from "@scim/schemas";
import { UsageError } from "../errors/usage-error.ts";
import type { FilterExpression } from "../filter/expression.ts";
import type { ResourceShape } from "../resources/shape.ts";
import type { PathValue } from "./path-value.ts";

/** Attributes of which one value can be chosen by a filter, and what the filter is built of. */
type Choosable<Fields> = {
  [
    Name in keyof Fields as Fields[Name] extends { where(build: never): unknown } ? Name : never
  ]: Fields[Name] extends {
    where(build: (sub: infer Subs) => FilterExpression): unknown;
  }
    ? Subs
    : never;
};

/** Collects operations; they are done in order, all or none. */
export interface PatchBuilder<Shape extends ResourceShape> {
  /** Adds values to a list, or sets what has none. */
  add<Path extends Shape["Path"]>(path: Path, value: PathValue<Shape["Input"], Path>): this;
  /** Puts a value in the place of what is there. */
  replace<Path extends Shape["Path"]>(path: Path, value: PathValue<Shape["Input"], Path>): this;
  /** Clears an attribute. */
  remove(path: Shape["Path"]): this;
  /** Chooses values of a list by a filter: `p.values("emails", (email) => email.type.eq("work"))`. */
  values<Name extends keyof Choosable<Shape["Fields"]> & string>(
    name: Name,
    where: (sub: Choosable<Shape["Fields"]>[Name]) => FilterExpression,
  ): ChosenValues<Shape, Name>;
  /** What was collected. */
  readonly operations: readonly PatchOperation[];
}

/** Values of a list that a filter chooses. */
export interface ChosenValues<Shape extends ResourceShape, Name extends string> {
  /** Sets a sub-attribute of each. */
  set<Sub extends SubNames<Shape, Name>>(
    sub: Sub,
    value: PathValue<Shape["Input"], `${Name}.${Sub}`>,
  ): PatchBuilder<Shape>;
  /** Removes them, or a sub-attribute of each. */
  remove(sub?: SubNames<Shape, Name>): PatchBuilder<Shape>;
}

type SubNames<Shape extends ResourceShape, Name extends string> = Shape["Path"] extends infer Path
  ? Path extends `${Name}.${infer Sub}`
    ? Sub
    : never
  : never;

/** Operations, or a function that builds them. */
export type PatchInput<Shape extends ResourceShape> =
  | readonly PatchOperation[]
  | ((patch: PatchBuilder<Shape>) => PatchBuilder<Shape>);

/** Fields that a filter on the values of an attribute is built of. */
interface Chooser {
  where(build: (sub: object) => FilterExpression): FilterExpression;
}

/** A builder whose types are checked where it is used. */
export class Operations {
  readonly operations: PatchOperation[] = [];
  readonly #fields: () => object;

  constructor(fields: () => object) {
    this.#fields = fields;
  }

  add(path: string, value: JsonValue): this {
    this.operations.push({ op: "add", path, value });
    return this;
  }

  replace(path: string, value: JsonValue): this {
    this.operations.push({ op: "replace", path, value });
    return this;
  }

  remove(path: string): this {
    this.operations.push({ op: "remove", path });
    return this;
  }

  values(name: string, where: (sub: object) => FilterExpression): ChosenOperations {
    // The types of the builder allow names of complex attributes alone.
    const chooser = Object.getOwnPropertyDescriptor(this.#fields(), name)?.value as Chooser;
    const { node } = chooser.where(where);
    if (node.kind !== "valuePath") throw new TypeError("A choice of values is a value path.");
    const { path, filter } = node;
    const pathTo = (subAttribute?: string): string =>
      printPatchPath(patchPath(path, subAttribute === undefined ? { filter } : { filter, subAttribute }));
    return {
      set: (sub, value) => this.replace(pathTo(sub), value),
      remove: (sub) => this.remove(pathTo(sub)),
    };
  }
}

/** {@link ChosenValues}, whose types are checked where it is used. */
interface ChosenOperations {
  set(sub: string, value: JsonValue): Operations;
  remove(sub?: string): Operations;
}

/**
 * The operations that are meant.
 * @throws {@link UsageError} `invalidInput` for what is no list, and where one sets nothing: JSON leaves undefined out, and services may clear what is to be set
 */
export function operationsOf(
  input:
    | readonly PatchOperation[]
    | ((patch: never) => { readonly operations: readonly PatchOperation[] } | undefined),
  fields: () => object,
): readonly PatchOperation[] {
  // The function takes a builder of its own types, which are matters of the compiler alone.
  const operations = typeof input === "function" ? input(new Operations(fields) as never)?.operations : input;
  if (!isList(operations))
    throw new UsageError(
      "invalidInput",
      "A PATCH is a list of operations, or a function that gives its builder back.",
    );
  for (const { op, path, value } of operations)
    if (op.toLowerCase() !== "remove" && value === undefined)
      throw new UsageError("invalidInput", `The operation '${op}' on '${path ?? ""}' has no value.`);
  return operations;
}

/** Programs without types may give anything, such as nothing of a function that forgets to give its builder back. */
function isList(operations: readonly PatchOperation[] | undefined): operations is readonly PatchOperation[] {
  return Array.isArray(operations);
}
