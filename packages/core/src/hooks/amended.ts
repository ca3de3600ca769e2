/**
 * Reads what a hook makes of a change: it must be a resource that a client could have sent.
 * @module
 */
import { isJsonObject, isScimError, type JsonObject } from "@scim/schemas";
import { own, type MutableObject } from "../attributes/json-object.ts";
import { settleResource } from "../attributes/settle.ts";
import { statedAttributes } from "../attributes/stated.ts";
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import { prepareForResource } from "../operations/prepare-validation.ts";
import { checkChange } from "../validation/check-change.ts";

/**
 * The attributes that a hook returned, in normal form and valid. ReadOnly ones may be among them: the application is
 * part of the service.
 * @throws TypeError where they are not valid, which is no fault of the client
 */
export async function readAmended(
  environment: Environment,
  context: RequestContext,
  {
    model,
    amended,
    planned,
  }: { readonly model: ResourceModel; readonly amended: JsonObject; readonly planned: JsonObject },
): Promise<MutableObject> {
  if (!isJsonObject(amended))
    throw new TypeError(
      `The plan hook of ${model.name} returned no attributes; to amend nothing it returns nothing`,
    );
  const body = statedAttributes(model, amended, {
    by: `The plan hook of ${model.name}`,
    onOther: (path) => {
      throw new TypeError(`The plan hook of ${model.name} returned '${path}', which it cannot set`);
    },
  });
  for (const { node } of model.collections) keepCollection(node.keys, { model, body, planned });
  await prepareForResource(environment, { model, resource: body, as: "result" }, context);
  try {
    const before = (): JsonObject => planned;
    const maxValues = environment.limits.attributeValues;
    checkChange(environment.validator, model, { before, after: body, maxValues });
    const { profile, onSwitch } = context;
    settleResource(model, body, {
      profile,
      onSwitch,
      maxValues,
      touched: null,
      before,
    });
  } catch (error) {
    if (!isScimError(error)) throw error;
    throw new TypeError(`The plan hook of ${model.name} returned attributes that are not valid`, {
      cause: error,
    });
  }
  return body;
}

/** References are told as changes and stay as planned; an extension that holds nothing else stays with them. */
function keepCollection(
  keys: readonly string[],
  {
    model,
    body,
    planned,
  }: { readonly model: ResourceModel; readonly body: MutableObject; readonly planned: JsonObject },
): void {
  const [first = "", second] = keys;
  const holder = second === undefined ? body : own(body, first);
  if (typeof holder === "object" && holder !== null && Object.hasOwn(holder, second ?? first))
    throw new TypeError(`The plan hook of ${model.name} returned references, which it cannot set`);
  if (second !== undefined && holder === undefined && Object.hasOwn(planned, first)) body[first] = {};
}
