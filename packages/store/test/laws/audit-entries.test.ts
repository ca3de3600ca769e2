import { hash } from "node:crypto";
import { createModelCatalog } from "@scim/core";
import { deletePlan, fetchOne, SCOPE, seed, updatePlan } from "@scim/core/testing";
import { createAuditChain } from "@scim/events";
import { SAMPLE_KEYS } from "@scim/events/testing";
import { createDefaultRegistry, ENTERPRISE_USER_URN, type JsonObject } from "@scim/schemas";
import fc from "fast-check";
import { expect, test } from "vitest";
import { newFile, open } from "../support/folders.ts";

const SECRET = "a-secret-of-22-letters";
const OPTIONS = { newSecret: () => SECRET, catalog: createModelCatalog(createDefaultRegistry()) };

/** Who makes the entries, and the chain that they are made with. */
const MAKERS = [
  ["where requests are served", createAuditChain({ ...SAMPLE_KEYS, ...OPTIONS })],
  [
    "on a thread",
    createAuditChain({
      ...SAMPLE_KEYS,
      ...OPTIONS,
      digest: (text) => hash("sha256", text, "base64url"),
      onThreads: true,
    }),
  ],
] as const;

const word = fc.constantFrom("", "Anna", 'with "title": in it', "\\", "},{", "ü\u2028");
const email = fc.record({ value: word, type: word }, { requiredKeys: ["value"] });
const OPTIONAL = {
  title: word,
  active: fc.boolean(),
  name: fc.dictionary(fc.constantFrom("formatted", "familyName"), word, { minKeys: 1 }),
  emails: fc.array(email, { minLength: 1, maxLength: 2 }),
  [ENTERPRISE_USER_URN]: fc.record({ department: word }),
};
const states: fc.Arbitrary<JsonObject> = fc
  .tuple(fc.uniqueArray(fc.constantFrom(...Object.keys(OPTIONAL))), fc.record(OPTIONAL))
  // The names stand in an order of their own, as those of a PUT do.
  .map(([names, values]) => Object.fromEntries(names.map((name) => [name, { ...values }[name] ?? ""])));
/** What is told to have changed: also what has not, and what no JSON tells. */
const told = fc.uniqueArray(fc.constantFrom(...Object.keys(OPTIONAL), "password", "members"));

test.each(MAKERS)(
  "entries say of changes what they would if the whole states before and after were read: %s",
  async (_where, chain) => {
    const store = await open(newFile(), { audit: chain });
    let made = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(states, told), { minLength: 2, maxLength: 5 }), async (changes) => {
        made += 1;
        const target = { type: "User", id: `u${made}` } as const;
        await seed(store.resources, [{ ...target, body: { userName: target.id } }]);
        for (const [state, changed] of changes) {
          const plan = updatePlan(await fetchOne(store.resources, target), {
            body: { userName: target.id, ...state },
          });
          await store.resources.write(SCOPE, { ...plan, event: { ...plan.event, changed } });
        }
        await store.resources.write(SCOPE, deletePlan(await fetchOne(store.resources, target)));
      }),
      { numRuns: 50 },
    );
    while ((await store.events.assign(1000)) > 0);
    const events = await store.events.read(SCOPE.tenant, { after: 0, limit: 10_000 });
    const whole = chain.link(SCOPE.tenant, { previous: null, secretOf: () => SECRET }, events);
    expect(events.length).toBeGreaterThan(made * 3);
    expect(await store.audit.read(SCOPE.tenant, { after: 0, limit: 10_000 })).toEqual(whole);
  },
);
