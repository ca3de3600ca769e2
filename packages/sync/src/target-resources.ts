/**
 * The resources of a target, whose shapes are known at run time alone.
 * @module
 */
import type { DynamicShape, ResourceClient } from "@scim/client";

/** The resources of one type of a target. */
export type TargetResources = ResourceClient<DynamicShape>;
