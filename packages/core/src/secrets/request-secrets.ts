/**
 * The secrets of a request: taken off the resource before anything is planned, and hashed before anything is written.
 * @module
 */
import { isJsonObject, ScimError, type JsonValue } from "@scim/schemas";
import type { MutableObject, MutableValue } from "../attributes/json-object.ts";
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import type { AttributeNode } from "../model/attribute-node.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import { isHashed, takeSecrets } from "../model/secrets.ts";
import type { BoundOperation } from "../patch/apply.ts";
import { isUnassigned } from "../patch/singular.ts";
import { capabilitiesOf } from "../store/capabilities.ts";
import { scopeOf } from "../store/scope.ts";
import { prepareSecret } from "./prepare-secret.ts";
import type { SecretChange, SecretSink } from "./secret-sink.ts";

/** What a request says of secrets. */
export interface RequestSecrets {
  /** Paths of those that it sets or removes. Nobody can tell whether they are new, so they count as a change. */
  readonly paths: readonly string[];
  /** Prepared values to hash, by path; none where hashes are not kept. */
  readonly values: ReadonlyMap<string, string>;
  /** Paths of those whose hash goes. */
  readonly removed: readonly string[];
}

/** A request that says nothing of secrets. */
export const NO_SECRETS: RequestSecrets = { paths: [], values: new Map(), removed: [] };

/** Secrets as a plan changes them. */
export interface PlannedSecrets {
  /** Paths of all that are set or removed. */
  readonly paths: readonly string[];
  /** How hashes change. */
  readonly changes: readonly SecretChange[];
}

/** No change of secrets. */
export const NO_PLANNED_SECRETS: PlannedSecrets = { paths: [], changes: [] };

/**
 * Takes the secrets out of a resource, in place.
 * @param operations those of a PATCH, which may remove one; a body that does not name one leaves it (RFC 7644 §3.5.1)
 * @throws ScimError `invalidValue` for a value that cannot be hashed, where hashes are kept
 */
export function takeRequestSecrets(
  environment: Environment,
  model: ResourceModel,
  { resource, operations = [] }: TakenFrom,
): RequestSecrets {
  if (model.secrets.length === 0) return NO_SECRETS;
  const taken = takeSecrets(model.secrets, resource);
  const paths = taken.map(({ node }) => node.path);
  if (sinkOf(environment, model) === null) return taken.length === 0 ? NO_SECRETS : { ...NO_SECRETS, paths };
  const values = new Map<string, string>();
  for (const { node, value } of taken) if (isHashed(node)) values.set(node.path, prepared(node, value));
  const removed = model.secrets
    .filter((node) => isHashed(node) && !paths.includes(node.path))
    .filter((node) => operations.some((operation) => removes(operation, node)))
    .map(({ path }) => path);
  return { paths: [...paths, ...removed], values, removed };
}

/** A resource with secrets, and what made it. */
interface TakenFrom {
  readonly resource: MutableObject;
  readonly operations?: readonly BoundOperation[];
}

/** Who hashes the secrets of a type; null where its values are dropped: those of rows have no resource to stand beside. */
function sinkOf({ secrets, store }: Environment, { name, rows }: ResourceModel): SecretSink | null {
  return secrets !== null && rows === null && capabilitiesOf(store, name).secrets ? secrets : null;
}

function prepared({ path }: AttributeNode, value: MutableValue): string {
  const secret = typeof value === "string" ? prepareSecret(value) : null;
  if (secret !== null) return secret;
  throw new ScimError(
    "invalidValue",
    `Attribute '${path}' must not be empty, nor hold control characters or others that cannot be seen (RFC 8265 section 4.2).`,
  );
}

/** Whether an operation takes a secret away, unless another sets it. */
function removes({ target, change }: BoundOperation, node: AttributeNode): boolean {
  const isEmptying = change.op === "remove" || (change.op === "replace" && isUnassigned(change.value));
  if (target.attribute === node || target.sub === node) return isEmptying;
  if (node.parent === null || target.attribute !== node.parent || target.sub !== null) return false;
  return isEmptying || (change.op === "replace" && clears(change.value, node));
}

/** Whether the value of a complex attribute names a part of it, and gives it none (RFC 7643 §2.5). */
function clears(value: JsonValue, { attribute }: AttributeNode): boolean {
  const name = attribute.name.toLowerCase();
  if (!isJsonObject(value)) return false;
  return Object.keys(value).some((key) => key.toLowerCase() === name && isUnassigned(value[key]));
}

/** Hashes the secrets of one request: each value once, however often the change is planned. */
export class SecretHashing {
  readonly #environment: Environment;
  readonly #context: RequestContext;
  readonly #hashes = new Map<string, Promise<string>>();

  constructor(environment: Environment, context: RequestContext) {
    this.#environment = environment;
    this.#context = context;
  }

  /** The secrets as a plan changes them. What is only tried out is not hashed. */
  planned(secrets: RequestSecrets): Promise<PlannedSecrets> | PlannedSecrets {
    const { paths, values, removed } = secrets;
    if (paths.length === 0) return NO_PLANNED_SECRETS;
    const { isTrial, secrets: sink } = this.#environment;
    if (isTrial || sink === null) return { paths, changes: [] };
    const gone = removed.map((path) => ({ path, hash: null }));
    if (values.size === 0) return { paths, changes: gone };
    return this.#hashAll(sink, values).then((hashed) => ({ paths, changes: [...hashed, ...gone] }));
  }

  #hashAll(sink: SecretSink, values: ReadonlyMap<string, string>): Promise<readonly SecretChange[]> {
    return Promise.all(
      [...values].map(async ([path, value]) => ({ path, hash: await this.#hash(sink, { path, value }) })),
    );
  }

  /** By path as well: two attributes with one value must not be known to be equal. */
  #hash(
    sink: SecretSink,
    { path, value }: { readonly path: string; readonly value: string },
  ): Promise<string> {
    const name = JSON.stringify([path, value]);
    const known = this.#hashes.get(name);
    if (known !== undefined) return known;
    const hash = sink.hash(scopeOf(this.#context), value);
    this.#hashes.set(name, hash);
    return hash;
  }
}
