/**
 * `GET /admin/v1/profiles`, and the switches of a connection: what requests are answered by.
 * @module
 */
import type { Profile } from "@scim/core";
import { ScimError } from "@scim/schemas";
import { type ConnectionStore, findConnection } from "@scim/tenancy";
import type { FastifyPluginAsync } from "fastify";
import {
  listedProfiles,
  type ListedProfile,
  shownProfile,
  shownSwitches,
} from "../administration/shown-profiles.ts";
import { namedProfile } from "../requests/named-profile.ts";
import type { Settings } from "../settings/table.ts";
import { pathName } from "./acting.ts";
import { namedIn } from "./connections.ts";
import { KEY_PAGE, keyPageOf, ofList } from "./key-page.ts";
import { taking } from "./parameters.ts";
import { asks } from "./rights.ts";

/** What the routes read. */
export interface ProfileRoutes {
  readonly connections: ConnectionStore;
  /** What connections without a profile are answered by. */
  readonly settings: Pick<Settings, "profile" | "switches">;
}

/** The routes of profiles. */
export function profileRoutes({ connections, settings }: ProfileRoutes): FastifyPluginAsync {
  return async (instance) => {
    instance.get("/profiles", taking(asks("read", "self"), ...KEY_PAGE), async (request) => {
      const { rows, next } = await keyPageOf(request, ofList(listedProfiles(), byName), byName);
      return { profiles: rows, next };
    });

    instance.get("/profiles/:name", asks("read", "self"), async (request) =>
      shownProfile(profileNamed(pathName(request, "name"))),
    );

    instance.get("/tenants/:tenant/connections/:connection/switches", asks("read"), async (request) =>
      shownSwitches(await findConnection({ connections }, namedIn(request)), settings),
    );
  };
}

function byName({ name }: ListedProfile): string {
  return name;
}

/** @throws ScimError `notFound` */
function profileNamed(name: string): Profile {
  try {
    return namedProfile(name);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new ScimError("notFound", `${cause.message}.`, { cause });
  }
}
