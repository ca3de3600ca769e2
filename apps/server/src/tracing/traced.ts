/**
 * The operations of a service and the calls of a store, each in a span.
 * @module
 */
import type { OperatorService, ResourceStore } from "@scim/core";

/** What a span is about. */
export interface SpanText {
  readonly name: string;
  readonly kind: "operation" | "store";
  readonly attributes: Readonly<Record<string, string>>;
}

/** Does work in a span. */
export type InSpan = <Result>(span: SpanText, work: () => Promise<Result>) => Promise<Result>;

/** Of all that an operation is asked, the resource type alone is told. */
type Asked = readonly [scope: unknown, request?: unknown, ...rest: readonly unknown[]];

/** The same function, in a span. */
function traced<Arguments extends Asked, Result>(
  { name, kind, inSpan }: Pick<SpanText, "name" | "kind"> & { readonly inSpan: InSpan },
  work: (...given: Arguments) => Promise<Result>,
): (...given: Arguments) => Promise<Result> {
  return (...given) => inSpan({ name, kind, attributes: typeOf(given[1]) }, () => work(...given));
}

/** A type that names no schema of the service is the client's text, and is not told. */
function typeOf(request: unknown): Readonly<Record<string, string>> {
  if (typeof request !== "object" || request === null || !("type" in request)) return {};
  return typeof request.type === "string" ? { "scim.resource_type": request.type } : {};
}

/** A service whose operations are spans. */
export function tracedService(service: OperatorService, inSpan: InSpan): OperatorService {
  const as = (name: string) => ({ name: `scim.${name}`, kind: "operation", inSpan }) as const;
  return {
    ...service,
    create: traced(as("create"), service.create.bind(service)),
    read: traced(as("read"), service.read.bind(service)),
    replace: traced(as("replace"), service.replace.bind(service)),
    patch: traced(as("patch"), service.patch.bind(service)),
    delete: traced(as("delete"), service.delete.bind(service)),
    list: traced(as("list"), service.list.bind(service)),
    bulk: traced(as("bulk"), service.bulk.bind(service)),
    dryRun: traced(as("dryRun"), service.dryRun.bind(service)),
    diagnose: traced(as("diagnose"), service.diagnose.bind(service)),
  };
}

/** A store whose calls are spans. */
export function tracedStore(store: ResourceStore, inSpan: InSpan): ResourceStore {
  const as = (name: string) => ({ name: `store.${name}`, kind: "store", inSpan }) as const;
  return {
    ...store,
    read: traced(as("read"), store.read.bind(store)),
    ...(store.readText === undefined ? {} : { readText: traced(as("read"), store.readText.bind(store)) }),
    readMany: traced(as("readMany"), store.readMany.bind(store)),
    references: traced(as("references"), store.references.bind(store)),
    snapshot: traced(as("snapshot"), store.snapshot.bind(store)),
    referenceRows: traced(as("referenceRows"), store.referenceRows.bind(store)),
    query: traced(as("query"), store.query.bind(store)),
    write: traced(as("write"), store.write.bind(store)),
    preview: traced(as("preview"), store.preview.bind(store)),
  };
}
