/**
 * How collections change that are too long to be held: they come to hold what a stage holds.
 * @module
 */
import { equalInList } from "../../attributes/equal.ts";
import { copyObject } from "../../attributes/json-object.ts";
import { keepDetails } from "../../attributes/reference-details.ts";
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import type { AttributeNode } from "../../model/attribute-node.ts";
import type { ResourceModel } from "../../model/resource-model.ts";
import type { StagedBody } from "../../requests.ts";
import type { ReferenceValue } from "../../store/stored-resource.ts";
import type { CollectionDelta } from "../../store/write-plan.ts";
import {
  referenceBatch,
  type ReferenceBatch,
  type ReferenceStage,
  type SettleReference,
  type StagedChange,
  type StagedWrite,
} from "../../store/reference-stage.ts";
import { scopeOf } from "../../store/scope.ts";
import { stageOnce } from "./open-long-body.ts";

/** Changes of collections that were not read: those that are short in full, the others as staged. */
export interface LongChanges {
  readonly deltas: readonly CollectionDelta[];
  readonly staged: StagedWrite | undefined;
}

/** What is meant by the values that are staged. */
export interface StagedMeaning {
  /** What stays beside a value that is held. Default: its immutable details. */
  readonly settle?: (node: AttributeNode) => SettleReference;
  /** Collections that lose what is staged for them. Default: each comes to hold it. */
  readonly losing?: ReadonlySet<AttributeNode>;
}

/** Values that are staged at once. */
const BATCH = 1000;

/** The stage of one request: that of its body, or one that is opened when it is needed. */
export class RequestStage {
  readonly #environment: Environment;
  readonly #context: RequestContext;
  readonly #given: StagedBody | undefined;
  #own: ReferenceStage | null = null;
  #endTurn: (() => void) | null = null;
  readonly #filled = new Set<AttributeNode>();

  constructor(environment: Environment, context: RequestContext, given: StagedBody | undefined) {
    this.#environment = environment;
    this.#context = context;
    this.#given = given;
  }

  /** Stages values that were held, unless they are already. */
  async fill(model: ResourceModel, node: AttributeNode, values: readonly ReferenceValue[]): Promise<void> {
    if (this.#filled.has(node)) return;
    const stage = await this.#open(model);
    for (let start = 0; start < values.length; start += BATCH) {
      await stage.add(node.path, referenceBatch(values.slice(start, start + BATCH)));
    }
    this.#filled.add(node);
  }

  /** Stages values, of which some may be staged already: those stay, and take what they lack. */
  async add(model: ResourceModel, node: AttributeNode, batch: ReferenceBatch): Promise<void> {
    await stageOnce(await this.#open(model), node.path, batch);
    this.#filled.add(node);
  }

  /** Lets go of what was staged by this request, so that it can be staged anew. */
  async restart(): Promise<void> {
    await this.#own?.close();
    this.#own = null;
    this.#filled.clear();
  }

  /** How collections of a resource change so that they hold what is staged for them, or lose it. */
  async changes(
    owner: { readonly model: ResourceModel; readonly id: string },
    nodes: readonly AttributeNode[],
    { settle = (node) => settling(node, this.#context), losing = new Set() }: StagedMeaning = {},
  ): Promise<LongChanges> {
    const deltas: CollectionDelta[] = [];
    const changes: StagedChange[] = [];
    const stage = await this.#open(owner.model);
    for (const node of nodes) {
      const target = { type: owner.model.name, id: owner.id, path: node.path };
      const difference = losing.has(node)
        ? await stage.leave(target)
        : await stage.compare(target, settle(node));
      if (difference.kind === "long") changes.push(difference.change);
      else deltas.push(difference.delta);
    }
    return {
      deltas: deltas.filter(({ add, remove }) => add.length > 0 || remove === "all" || remove.length > 0),
      staged: changes.length === 0 ? undefined : { stage: stage.id, changes },
    };
  }

  /** Lets go of what this request opened. */
  async close(): Promise<void> {
    try {
      await this.#own?.close();
    } finally {
      this.#endTurn?.();
      this.#endTurn = null;
    }
  }

  async #open(model: ResourceModel): Promise<ReferenceStage> {
    if (this.#given !== undefined) return this.#given.stage;
    const { store, stageTurns } = this.#environment;
    const { tenant, signal } = this.#context;
    this.#endTurn ??= await stageTurns.take(tenant, signal);
    this.#own ??= await store.stage(scopeOf(this.#context), model.name);
    return this.#own;
  }
}

/** A reference that stays has its immutable details. */
export function settling(node: AttributeNode, context: RequestContext): SettleReference {
  return (held, staged) => {
    const after = copyObject(staged);
    keepDetails(node, { before: held.rest, after }, context);
    return equalInList(held.rest, after) ? held.rest : after;
  };
}
