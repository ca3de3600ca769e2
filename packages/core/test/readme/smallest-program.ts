import { createHash, randomBytes, randomUUID } from "node:crypto";
import { createScimService, PROFILES } from "@scim/core";
import { createMemoryStore } from "@scim/core/testing";
import { createDefaultRegistry, USER_URN } from "@scim/schemas";

const sources = {
  now: () => Date.now(),
  newId: () => randomUUID(),
  newNonce: () => randomBytes(5).toString("base64url"),
  digest: (text: string) => createHash("sha256").update(text).digest("base64url"),
};
const service = createScimService({ registry: createDefaultRegistry(), store: createMemoryStore(), sources });

const onSwitch = (name: string, path: string) => console.log("tolerated:", name, path);
const whose = { tenant: "default", connection: "default", subject: null, profile: PROFILES.tolerant };
const context = { ...whose, baseUrl: "https://id.example/scim/v2", signal: undefined, onSwitch };
const body = { schemas: [USER_URN], userName: "bjensen", active: "True" }; // as Microsoft Entra ID sends it
const shown = { attributes: null, excludedAttributes: null };
const { resource } = await service.create(context, { type: "User", body, ...shown });
console.log(resource["userName"], resource["active"]); // bjensen true
