/**
 * Variables of the environment that look as if a setting was meant.
 * @module
 */
import { nearest } from "../command-table/nearest.ts";

const PREFIX = "SCIM_";

/**
 * A sentence for each variable that is none of those known, and near to one. They are told and not refused, since others
 * name variables too: Kubernetes gives a pod `SCIM_SERVICE_HOST` where a Service is called `scim`.
 */
export function mistypedVariables(
  environment: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): readonly string[] {
  const names = known.map((variable) => variable.slice(PREFIX.length));
  return Object.keys(environment).flatMap((variable) => {
    if (!variable.startsWith(PREFIX) || known.includes(variable)) return [];
    const meant = nearest(variable.slice(PREFIX.length), names);
    return meant === null ? [] : [`${variable} is no setting; did you mean ${PREFIX}${meant}?`];
  });
}
