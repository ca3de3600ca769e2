/**
 * The paths of a resource type, with the operations that it offers.
 * @module
 */
import type { ServedType } from "@scim/core";
import type { ResourceOperation } from "@scim/schemas";
import { refer, type PathItem, type Paths } from "./document-types.ts";
import { triedOut, triedOutOperations } from "./dry-run-operations.ts";
import type { Describing } from "./operations.ts";
import { parameterRefs } from "./parameters.ts";
import {
  createOperation,
  queryOperation,
  resourceOperations,
  searchOperation,
  type Queried,
  type Subject,
} from "./resource-operations.ts";
import { componentNames } from "./resource-schemas.ts";

/** The paths of a resource type; one without an operation is left out. */
export function typePaths(type: ServedType, describing: Describing): Paths {
  const names = componentNames(type.name);
  const operationId: Subject["operationId"] = (verb) => `${verb}${type.name}`;
  const tag = type.name;
  const subject: Subject = {
    operationId,
    tag,
    noun: `${articleOf(type.name)} ${type.name}`,
    answer: refer("schemas", names.answer),
    input: refer("schemas", names.input),
  };
  const offers = (operation: ResourceOperation): boolean => type.operations.has(operation);
  const queried: Queried = {
    operationId,
    tag,
    plural: `${type.name} resources`,
    page: refer("schemas", names.page),
  };
  return withoutEmpty({
    [type.endpoint]: {
      ...(offers("query") ? { get: queryOperation(queried, describing) } : {}),
      ...(offers("create") ? { post: createOperation(subject, describing) } : {}),
    },
    [`${type.endpoint}/.search`]: offers("query") ? { post: searchOperation(queried, describing) } : {},
    [`${type.endpoint}/{id}`]: itemOperations(subject, type.operations, describing),
    ...(describing.features.dryRun ? dryRunPaths(subject, type, describing) : {}),
  });
}

function itemOperations(
  subject: Subject,
  operations: ReadonlySet<ResourceOperation>,
  describing: Describing,
): PathItem {
  const item = resourceOperations(subject, operations, describing);
  return Object.keys(item).length === 0 ? item : { parameters: parameterRefs("id"), ...item };
}

function withoutEmpty(paths: Paths): Paths {
  return Object.fromEntries(Object.entries(paths).filter(([, item]) => Object.keys(item).length > 0));
}

/** The same changes below `/.dry-run`, where a service that cannot try out answers 404 and writes nothing. */
function dryRunPaths(subject: Subject, type: ServedType, describing: Describing): Paths {
  const item = triedOutOperations(subject, type.operations, describing);
  return {
    [`/.dry-run${type.endpoint}`]: type.operations.has("create")
      ? { post: triedOut(createOperation(subject, describing)) }
      : {},
    [`/.dry-run${type.endpoint}/{id}`]:
      Object.keys(item).length === 0 ? item : { parameters: parameterRefs("id"), ...item },
  };
}

/** Of names that begin with U, such as User and Unit, nearly all are spoken with a consonant. */
function articleOf(name: string): string {
  return /^[aeio]/i.test(name) ? "an" : "a";
}
