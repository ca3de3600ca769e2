/**
 * The tools of one resource type: those of the specification, the same for every type, and the one that patches.
 * @module
 */
import type { ResourceOperation } from "@scim/schemas";
import { namesOf } from "../names.ts";
import { offers, type ToolResourceType } from "../resource-types.ts";
import type { Tool } from "../tool.ts";
import { create, patch, remove, update } from "./changing-tools.ts";
import type { NamedType } from "./named-type.ts";
import { exists, get, list, search } from "./reading-tools.ts";

/** The tools of a resource type. */
export function resourceTools(type: ToolResourceType): readonly Tool[] {
  const named = { ...namesOf(type), type };
  return MAKERS.flatMap(([operation, make]) => (offers(type, operation) ? [make(named)] : []));
}

/** Each tool with what it does to resources. */
const MAKERS: readonly (readonly [ResourceOperation, (named: NamedType) => Tool])[] = [
  ["create", create],
  ["read", get],
  ["replace", update],
  ["patch", patch],
  ["delete", remove],
  ["query", list],
  ["query", search],
  ["read", exists],
];
