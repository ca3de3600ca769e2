import { PROFILES } from "@scim/core";
import { ScimError } from "@scim/schemas";
import { expect, test } from "vitest";
import { admitReaders } from "../../src/metrics/metrics-readers.ts";

const HOUR = 3_600_000;

const ADMINISTRATOR = {
  tenant: "admin",
  connection: "default",
  scopes: new Set(["admin:support"]),
  subject: null,
  profile: PROFILES.tolerant,
  credential: "t1",
  name: "ann",
};

/** Who a token is: an administrator, nobody, or not to be found out, at once or ever. */
type Known = "administrator" | "nobody" | "unavailable" | "silence";

test.each<[steps: string, knowns: readonly Known[], waits: number, admitted: readonly boolean[]]>([
  ["is let in", ["administrator"], 0, [true]],
  ["is refused who was never let in", ["unavailable"], 0, [false]],
  ["goes on reading", ["administrator", "unavailable", "unavailable"], HOUR, [true, true, true]],
  [
    "goes on reading while nothing is answered",
    ["administrator", "silence", "silence"],
    HOUR,
    [true, true, true],
  ],
  ["is forgotten after an hour", ["administrator", "unavailable"], HOUR + 1, [true, false]],
  ["is forgotten once refused", ["administrator", "nobody", "unavailable"], 0, [true, false, false]],
])("a reader of metrics %s", async (_, knowns, waits, admitted) => {
  const told = [...knowns];
  let now = 0;
  const admit = admitReaders({
    limiter: { refused: () => null },
    now: () => now,
    authenticate: async () => {
      const known = told.shift();
      if (known === "silence") return new Promise(() => undefined);
      if (known === "unavailable")
        throw new ScimError("unavailable", "There is no connection now. Try again.");
      return known === "nobody" ? null : ADMINISTRATOR;
    },
  });
  const seen: boolean[] = [];
  while (told.length > 0) {
    seen.push(await admit({ authorization: "Bearer a", address: "::1", id: "1" }).then(ok, refused));
    now += waits;
  }
  expect(seen).toEqual(admitted);
});

const ok = (): boolean => true;
const refused = (): boolean => false;
