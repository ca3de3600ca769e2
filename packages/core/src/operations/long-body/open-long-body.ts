/**
 * A place for the values of a body that is too long to be held in memory.
 * @module
 */
import { equalInList } from "../../attributes/equal.ts";
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import type { ResourceModel } from "../../model/resource-model.ts";
import type { LongBody, OpenLongBody } from "../../requests.ts";
import { capabilitiesOf } from "../../store/capabilities.ts";
import type { ReferenceValue } from "../../store/stored-resource.ts";
import {
  pairsOf,
  referenceBatch,
  type ReferenceBatch,
  type ReferenceStage,
} from "../../store/reference-stage.ts";
import { scopeOf } from "../../store/scope.ts";
import { hasStagedCollections, type BodyReading } from "./body-reader.ts";

/** What opens a place for a body of a type; null where such bodies have to be held in memory. */
export function longBodyOpener(
  environment: Environment,
  context: RequestContext,
  type: string,
): OpenLongBody | null {
  const { catalog, store } = environment;
  const model = catalog.model(type);
  if (model.rows !== null || !hasStagedCollections(model) || !capabilitiesOf(store, type).staging)
    return null;
  return () => openStage(environment, context, model);
}

async function openStage(
  environment: Environment,
  context: RequestContext,
  model: ResourceModel,
): Promise<LongBody> {
  const target = await environment.store.stage(scopeOf(context), model.name);
  return {
    reading: readingOf(environment, context, model),
    target,
    stage: (path, batch) => stageOnce(target, path, batch),
    close: () => target.close(),
  };
}

/** Stages values. Those that are staged already stay, and take what they lack from the others. */
export async function stageOnce(stage: ReferenceStage, path: string, batch: ReferenceBatch): Promise<void> {
  const known = await stage.add(path, batch);
  if (known.length === 0) return;
  const again = new Map(pairsOf(batch).map(({ value, rest }) => [value, rest]));
  const filled = known.flatMap(({ value, rest }): readonly ReferenceValue[] => {
    const whole = { ...again.get(value), ...rest };
    return equalInList(whole, rest) ? [] : [{ value, rest: whole }];
  });
  if (filled.length > 0) await stage.amend(path, referenceBatch(filled));
}

function readingOf(
  { registry, limits }: Environment,
  { profile }: RequestContext,
  model: ResourceModel,
): BodyReading {
  const { attributeValues, stringLength, decimalPrecision, decimalScale, integerMinimum, integerMaximum } =
    limits;
  const types = registry.resourceTypes();
  return {
    type: model.name,
    schemas: registry.schemas(),
    resourceTypes: types,
    switches: [...profile.switches],
    limits: { attributeValues, stringLength, decimalPrecision, decimalScale, integerMinimum, integerMaximum },
    idForms: new Map(types.map(({ name }) => [name, model.idForm(name)])),
  };
}
