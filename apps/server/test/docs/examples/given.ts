/**
 * What examples in docstrings take for granted: names that their readers know from around.
 *
 * A name that is declared alone is there for the compiler only, and what uses it is not run.
 * @module
 */
import { join } from "node:path";
import { ROOT } from "../blocks/collect.ts";

/** Examples that are compiled alone, though all that they name is there, and why. */
export const NOT_RUN: Readonly<Record<string, string>> = {
  "client/src/index.ts createScimClient": "asks a service that is not there",
  "schemas/src/documents/schema-document-error.ts Error": "throws, as it tells",
  "schemas/src/errors/scim-error.ts Error": "throws",
  "store/src/postgres/migrate.ts migratePostgres": "needs a database",
  "store/src/postgres/open-store.ts openPostgresStore": "needs a database",
  "sync/src/simulate/simulate.ts simulate": "asks a service that is not there",
};

/** Names of other modules, with the module. */
export const MODULES: Readonly<Record<string, string>> = {
  createCipheriv: "node:crypto",
  createHash: "node:crypto",
  createHmac: "node:crypto",
  createSecureServer: "node:http2",
  createServer: "node:http",
  randomBytes: "node:crypto",
  randomUUID: "node:crypto",
  readFile: "node:fs/promises",
};

/** Declarations by the package's folder, `*` for all, and the name. */
export const GIVEN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "*": {
    app: "declare const app: import('fastify').FastifyInstance;",
    authenticate: `const authenticate = async () => ({
      tenant: "default", connection: "default", subject: null, scopes: new Set(["scim"]), profile: PROFILES.tolerant,
    });`,
    baseUrl: 'const baseUrl = "https://id.example/scim/v2";',
    catalog: "const catalog = createModelCatalog(registry);",
    client: `const client = createScimClient({
      baseUrl, auth: token, transport: createInProcessTransport(createScimHandler({ service, authenticate })),
    });`,
    context: `const context = {
      tenant: "default", connection: "default", subject: null, profile: PROFILES.tolerant, baseUrl,
      signal: undefined, onSwitch: () => undefined,
    };`,
    DEVICE_SCHEMA: `const DEVICE_SCHEMA = defineSchema({
      id: "urn:example:params:scim:schemas:acme:1.0:Device", name: "Device",
      attributes: [{ name: "serial", type: "string", required: true }, { name: "seen", type: "dateTime" }],
    });`,
    digest: 'const digest = (text: string) => createHash("sha256").update(text).digest("base64url");',
    handler: "const handler = createScimHandler({ service, authenticate });",
    hmac: `const hmac = (key: Uint8Array | string, text: string) =>
      createHmac("sha256", key).update(text).digest("base64url");`,
    id: `const id = user.id;`,
    keys: 'const keys = [{ id: "k1", secret: randomBytes(32) }];',
    newId: "const newId = () => randomUUID();",
    now: "const now = () => Date.now();",
    path: 'const path = ":memory:";',
    registry: "const registry = createDefaultRegistry();",
    service: "const service = createScimService({ registry, store: createMemoryStore(), sources });",
    sources: `const sources = {
      now: Date.now, newId: () => randomUUID(), newNonce: () => randomBytes(5).toString("base64url"), digest,
    };`,
    sqlite: 'const sqlite = await openSqliteStore({ path: ":memory:" });',
    store: "const store = createMemoryStore();",
    test: "const test = (_name: string, _body: () => Promise<void>) => undefined;",
    token: 'const token = "scim_default_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG";',
    user: 'const user = await client.users.create({ userName: "bjensen", active: true, title: "Dr" });',
  },
  client: {
    clientSecret: 'const clientSecret = "secret";',
    found:
      'const found = defineResourceType({ name: "Device", endpoint: "/Devices", schema: DEVICE_SCHEMA });',
    input: 'const input = { userName: "ada" };',
    location: 'const location = { href: "https://app.example/page" };',
    readToken: "const readToken = async () => token;",
    registry: `const registry = createDefaultRegistry();
      registry.addSchema(DEVICE_SCHEMA);
      registry.addResourceType({ name: "Device", endpoint: "/Devices", schema: DEVICE_SCHEMA.id });`,
    tokenUrl: 'const tokenUrl = "https://id.example/oauth2/token";',
  },
  core: {
    db: `declare const db: {
      get(text: string, params: readonly string[]): Promise<object>;
      all(text: string, params: readonly string[]): Promise<readonly object[]>;
    };`,
    decryptOrNull: "const decryptOrNull = (_key: Uint8Array, _cursor: string): string | null => null;",
    deleteUser:
      "declare function deleteUser(tenant: string, id: string, version: string | null): Promise<number>;",
    deliver: "const deliver = async (_event: FeedEvent) => undefined;",
    emptyDatabase: "const emptyDatabase = async () => ({});",
    encrypt: "const encrypt = (_key: Uint8Array, text: string): string => text;",
    feed: "const feed = store.events;",
    insertUser: `declare function insertUser(
      tenant: string, id: string, attributes: JsonObject,
    ): ReturnType<ResourceHandler["create"]>;`,
    key: "const key = randomBytes(32);",
    openEmptyStore: `const openEmptyStore = async () => {
      const resources = createMemoryStore();
      return Object.assign(resources, { resources });
    };`,
    reading: `const reading: BodyReading = {
      type: "Group", schemas: registry.schemas(), resourceTypes: registry.resourceTypes(), switches: [],
      limits: DEFAULT_LIMITS, idForms: new Map(),
    };`,
    rememberedPosition: "const rememberedPosition = async () => 0;",
    seatsLeft: "const seatsLeft = async (_tenant: string, _signal: AbortSignal | undefined) => 1;",
    toResource: "declare function toResource(row: object): HandledResource;",
    updateUser: `declare function updateUser(
      tenant: string, id: string, attributes: JsonObject, version: string | null,
    ): Promise<HandledResource | null>;`,
    users: "const users = createMemoryHandler();",
    usersHandler: "const usersHandler = (_database: object) => createMemoryHandler();",
  },
  events: {
    catalog: "const catalog = createModelCatalog(registry);",
    entry: "declare const entry: LoggedRequest;",
    newId: "const newId = () => randomUUID();",
    newSecret: 'const newSecret = () => randomBytes(16).toString("base64url");',
    onError: "const onError = console.error;",
    openStore: `const openStore = async ({ audit }: { readonly audit: AuditChain }) =>
      openSqliteStore({ path: ":memory:", audit });`,
    parts: "declare const parts: Parameters<typeof createDeliveryWorker>[0];",
    pause: "const pause = async (_milliseconds: number) => undefined;",
    rest: "const rest = { keys, hmac, now, newId, onExceeded: console.warn };",
    settingsOf: `const settingsOf = async (): Promise<GuardSettings> => (
      { mode: "observe", atLeast: 50, percent: 10, window: 60, named: [] }
    );`,
    store: 'const store = await openSqliteStore({ path: ":memory:", audit: SAMPLE_AUDIT });',
  },
  filter: {
    node: 'const node = parseFilter("userName pr and not (title pr)");',
  },
  http: {
    app: `declare const app: {
      all(path: string, handle: (c: { readonly req: { readonly raw: globalThis.Request } }) => Promise<globalThis.Response>): void;
      use(path: string, handle: ReturnType<typeof createNodeHandler>): void;
    };`,
    cert: "declare const cert: string;",
    key: "declare const key: string;",
    request: `const request = {
      method: "GET", target: "", headers: { authorization: "Bearer " + token }, body: null, tenant: null,
      signal: undefined, id: "request-1",
    };`,
  },
  mcp: {
    request: `const request = new Request("https://id.example/mcp", {
      method: "POST",
      headers: { accept: "application/json, text/event-stream", "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });`,
    tools: "const tools = createScimTools({ client });",
  },
  schemas: {
    documents: 'const documents = [{ source: "device.json", document: DEVICE_SCHEMA }];',
    draft: "declare const draft: never;",
    error: "declare const error: unknown;",
    existing: "declare const existing: object;",
    registered: "declare const registered: ResourceTypeDefinition;",
    released: "declare const released: SchemaDefinition;",
    user: 'const user = { schemas: [USER_URN], id: "2819c223", userName: "ada" };',
  },
  store: {
    dialect: "declare const dialect: Parameters<ReturnType<typeof fixedSql>>[0];",
    postgres: 'const postgres = await openSqliteStore({ path: ":memory:" });',
    sql: `import { sql } from ${JSON.stringify(join(ROOT, "packages/store/dist/sql.js"))};`,
    tenant: 'const tenant = "acme";',
    condition: "const condition = sql`deleted IS NULL`;",
  },
  sync: {
    mapping: "declare const mapping: Mapping;",
    rows: `async function* rows(): AsyncGenerator<SourceItem> {
      yield { kind: "record", place: "1", fields: { id: "1" } };
    }`,
  },
  tenancy: {
    address: 'const address = "203.0.113.7";',
    authorization: "const authorization = undefined;",
    checkJwt: "declare const checkJwt: Parameters<typeof createTokenEndpoint>[0]['checkJwt'];",
    clients: "const { clients } = createMemoryTenancy();",
    connections: "const { connections } = createMemoryTenancy();",
    contentType: 'const contentType = "application/x-www-form-urlencoded";',
    hasher: "const hasher = createTokenHasher(keys, hmac);",
    hmac: 'const hmac = (key: Uint8Array, text: string) => createHmac("sha256", key).update(text).digest();',
    id: "const id = randomUUID();",
    now: "const now = () => new Date().toISOString();",
    requestId: 'const requestId = "request-1";',
    store: "const store = createMemoryTokenStore();",
    tenants: "const { tenants } = createMemoryTenancy();",
    tokens: "const { tokens } = createMemoryTenancy();",
    warn: "const warn = console.warn;",
  },
};
