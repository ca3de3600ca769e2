/**
 * Rules of what a handler finds otherwise than the service saw it: others write between its reading and the handler's
 * writing, and a handler may be asked on behalf of whom nothing belongs to.
 * @module
 */
import { ScimError, type JsonObject } from "@scim/schemas";
import type { HandledResource, HandlerContext } from "../../handlers/resource-handler.ts";
import { expectEqual, expectTrue } from "../contract/expect.ts";
import { another, readAlike } from "./another.ts";
import { withoutVersions, type HandlerRule } from "./rule.ts";
import { CONTEXT, idOf, statusOf, type OpenSubject } from "./subject.ts";

export const BETWEEN_RULES: readonly HandlerRule[] = [
  {
    rule: "write/gone",
    name: "what is gone by the time of a write is answered as not found, and stays gone",
    run: async (opened) => {
      for (const method of METHODS) {
        const made = await opened.client.create(opened.subject.sample(0));
        const before = async (): Promise<void> => opened.client.delete(idOf(made));
        const status = await writeBehind(opened, { method, id: idOf(made), before });
        expectEqual(status, 404, `${method} of what is gone`);
        expectEqual(await statusOf(opened.client.read(idOf(made))), 404, `reading it after ${method}`);
      }
    },
  },
  {
    rule: "version/compared",
    name: "a write on a version that moves before it is made is refused, and leaves the other's",
    unsupported: withoutVersions,
    run: async (opened) => {
      const { client, subject } = opened;
      for (const [n, method] of METHODS.entries()) {
        const made = await client.create(subject.sample(n));
        const id = idOf(made);
        const others: unknown[] = [];
        const before = async (): Promise<void> => {
          others.push(await client.replace(id, subject.changed(n)));
        };
        const status = await writeBehind(opened, { method, id, before, n, version: made.version });
        expectEqual(status, 412, `${method} of an older version`);
        expectEqual([await client.read(id)], others, `what is stored after ${method}`);
      }
    },
  },
  {
    rule: "tenant/writes",
    name: "a write on behalf of another tenant is refused, even of a known id and version",
    unsupported: ({ subject }) => (subject.oneTenant === true ? "there is one tenant alone" : null),
    run: async (opened) => {
      const { client, subject } = opened;
      for (const [n, method] of METHODS.entries()) {
        const made = await client.create(subject.sample(n));
        const status = await writeBehind(opened, { method, id: idOf(made), n, tenant: "south" });
        expectTrue(status !== 0, `${method} for another tenant is refused`);
        expectEqual(await client.read(idOf(made)), made, `what is stored after ${method}`);
      }
    },
  },
  {
    rule: "read/many",
    name: "'getMany' gives what 'get' gives, and nothing of what is gone or belongs to another tenant",
    unsupported: ({ handler }) =>
      handler.getMany === undefined
        ? "the handler has no 'getMany': 'get' is called for each resource"
        : null,
    run: async (opened) => {
      const { client, handler, subject } = opened;
      const made: string[] = [];
      for (let n = 0; n < 4; n += 1) made.push(idOf(await client.create(subject.sample(n))));
      const [gone = "", ...left] = made;
      await client.delete(gone);
      const readFor = async (context: HandlerContext): Promise<readonly HandledResource[]> =>
        (await handler.getMany?.(context, made)) ?? [];
      const many = await readFor(CONTEXT);
      const ids = many.map(({ id }) => id).toSorted();
      expectEqual(ids, left.toSorted(), "the resources of four ids, one of them gone");
      await readAlike(opened, many, "from 'getMany'");
      if (subject.oneTenant !== true)
        expectEqual(await readFor({ ...CONTEXT, tenant: "south" }), [], "those for another tenant");
    },
  },
  {
    rule: "references/rows",
    name: "'references' and 'referrers' tell of what stands there, and nothing of another tenant",
    unsupported: ({ handler, model }) =>
      model.collections.length > 0 && (handler.references !== undefined || handler.referrers !== undefined)
        ? null
        : "the handler has neither 'references' nor 'referrers': references are read with their resources",
    run: async (opened) => {
      for (const { node } of opened.model.collections.filter(({ node: each }) => each.extension === null))
        await referring(opened, node.path);
    },
  },
];

async function referring({ client, handler, subject }: OpenSubject, attribute: string): Promise<void> {
  const state = (n: number, ...values: readonly string[]): JsonObject => ({
    ...subject.sample(n),
    [attribute]: values.map((value) => ({ value })),
  });
  const first = idOf(await client.create(state(0, "1", "2", "3")));
  const second = idOf(await client.create(state(1, "2")));
  const valuesFor = async (context: HandlerContext): Promise<readonly unknown[]> =>
    ((await handler.references?.(context, { id: first, attribute, values: null, limit: null })) ?? []).map(
      ({ value }) => value,
    );
  // As JSON, in which a number is no text.
  const naming = (value: string, id: string): string => `${JSON.stringify(value)} in ${JSON.stringify(id)}`;
  const referrersFor = async (context: HandlerContext): Promise<readonly string[]> =>
    ((await handler.referrers?.(context, { attribute, values: ["1", "2"] })) ?? [])
      .map(({ value, id }) => naming(value, id))
      .toSorted();
  const pairs = (...each: readonly (readonly [string, string])[]): readonly string[] =>
    handler.referrers === undefined ? [] : each.map(([value, id]) => naming(value, id)).toSorted();
  if (handler.references !== undefined) expectEqual(await valuesFor(CONTEXT), ["1", "2", "3"], "references");
  expectEqual(
    await referrersFor(CONTEXT),
    pairs(["1", first], ["2", first], ["2", second]),
    "who names them",
  );
  if (subject.oneTenant !== true) {
    const stranger = { ...CONTEXT, tenant: "south" };
    expectEqual([await valuesFor(stranger), await referrersFor(stranger)], [[], []], "for another tenant");
  }
  await client.replace(first, state(0, "1"));
  await client.delete(second);
  expectEqual(await referrersFor(CONTEXT), pairs(["1", first]), "who names them afterwards");
}

const METHODS = ["replace", "delete"] as const;

interface LateWrite {
  readonly method: (typeof METHODS)[number];
  readonly id: string;
  /** Resource of which sample it is. Default 0. */
  readonly n?: number;
  readonly version?: string | undefined;
  /** What happens before the handler is called. */
  readonly before?: () => Promise<void>;
  /** On whose behalf it is called. Default the tenant of the client. */
  readonly tenant?: string;
}

/** Writes through a service of its own. What comes between happens once, and a second try ends in 503. */
async function writeBehind(
  opened: OpenSubject,
  { method, id, n = 0, version, before = async () => undefined, tenant }: LateWrite,
): Promise<number> {
  const { handler, subject } = opened;
  let calls = 0;
  const late = async <Answer>(
    context: HandlerContext,
    call: (context: HandlerContext) => Promise<Answer> | Answer,
  ): Promise<Answer> => {
    calls += 1;
    if (calls > 1) throw new ScimError("unavailable", "One try is enough here.");
    await before();
    return call({ ...context, tenant: tenant ?? context.tenant });
  };
  const { client } = await another(opened, {
    replace: (context, change) => late(context, (as) => handler.replace(as, change)),
    delete: (context, deletion) => late(context, (as) => handler.delete(as, deletion)),
  });
  const write = (): Promise<unknown> =>
    method === "replace" ? client.replace(id, subject.changed(n), version) : client.delete(id, version);
  return statusOf(write());
}
