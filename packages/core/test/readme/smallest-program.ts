import { createHash, randomBytes, randomUUID } from "node:crypto";
import { createScimService, PROFILES, type RequestContext } from "@scim/core";
import { createMemoryStore } from "@scim/core/testing";
import { createDefaultRegistry, USER_URN } from "@scim/schemas";

const service = createScimService({
  registry: createDefaultRegistry(),
  store: createMemoryStore(),
  sources: {
    now: () => Date.now(),
    newId: () => randomUUID(),
    newNonce: () => randomBytes(5).toString("base64url"),
    digest: (text) => createHash("sha256").update(text).digest("base64url"),
  },
});
const context: RequestContext = {
  tenant: "default",
  connection: "default",
  subject: null,
  profile: PROFILES.tolerant,
  baseUrl: "https://id.example/scim/v2",
  signal: undefined,
  onSwitch: (name, path) => console.log("tolerated:", name, path),
};

const { resource } = await service.create(context, {
  type: "User",
  body: { schemas: [USER_URN], userName: "bjensen", active: "True" }, // as Microsoft Entra ID sends it
  attributes: null,
  excludedAttributes: null,
});
console.log(resource["userName"], resource["active"]); // bjensen true
