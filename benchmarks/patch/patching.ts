/**
 * PATCH of a User by value path.
 * @module
 */
import { PATCH_OP_URN } from "@scim/schemas";
import { scimPatch, type ScimPatchOperation } from "scim-patch";
import { insideCore } from "../inside-core.ts";
import { CONTEXT } from "../in-process.ts";
import { sideBySide, sideBySideAsync } from "../measure.ts";
import { oneUserService } from "../one-user-service.ts";
import type { Report } from "../report.ts";
import { SAMPLE_USER } from "../sample-user.ts";

const OPERATIONS: ScimPatchOperation[] = [
  { op: "replace", path: 'emails[type eq "work"].value', value: "barbara@example.com" },
];
const MESSAGE = { schemas: [PATCH_OP_URN], Operations: OPERATIONS.map((operation) => ({ ...operation })) };

/** Measures the change of a resource, and the whole operation of the service round it. */
export async function measurePatch(report: Report): Promise<void> {
  const meta = { created: new Date(0), lastModified: new Date(0) };
  const document = { ...SAMPLE_USER, id: "u1", meta };
  const theirs = () => scimPatch(document, OPERATIONS, { mutateDocument: false });
  const users = insideCore();
  const stored = users.read(SAMPLE_USER);
  const change = sideBySide({ ours: () => users.patch(stored, MESSAGE), theirs });
  compare(report, "PATCH a User by value path, whole resource validated", change, 2);

  const { service, id } = await oneUserService(SAMPLE_USER);
  const request = {
    type: "User",
    id,
    body: MESSAGE,
    attributes: null,
    excludedAttributes: null,
    prefer: null,
    precondition: { ifMatch: null, ifNoneMatch: null },
  };
  const operation = await sideBySideAsync({
    ours: () => service.patch(CONTEXT, request),
    theirs: () => Promise.resolve(theirs()),
  });
  compare(report, "the same with index entries, version and answer", operation, null);
}

function compare(
  report: Report,
  work: string,
  times: Readonly<Record<"ours" | "theirs", number>>,
  bar: number | null,
): void {
  const side = (name: string, nanoseconds: number) => ({
    name,
    value: nanoseconds / 1000,
    unit: "µs" as const,
  });
  report.compare(work, side("@scim/core", times.ours), side("scim-patch", times.theirs), bar);
}
