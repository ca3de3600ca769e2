/**
 * Examples of commands, for their help: each the way from nothing to what people mostly want.
 * @module
 */

/** Lines by command. */
export const EXAMPLES: ReadonlyMap<string, readonly string[]> = new Map([
  [
    "tenant",
    [
      'scim tenant create acme --display-name "Acme Ltd"',
      "scim token create --tenant acme                      a token for its first connection, 'default'",
      "scim tenant suspend acme                             to look before anything is lost",
      "scim export acme.jsonl --tenant acme && scim tenant delete acme --exported",
    ],
  ],
  [
    "connection",
    [
      "scim connection create okta --tenant acme --profile okta",
      "scim connection change okta --tenant acme --switches=require-version,-bare-token",
      "scim connection change okta --tenant acme --rate 10 --burst 40",
      "scim token create --tenant acme --connection okta    its token",
    ],
  ],
  [
    "token",
    [
      'scim token create --tenant acme --connection okta --name "Okta production"',
      "scim token create --scope scim:read:User --expires 90d",
      "scim token create --tenant admin --role operator --name Ann",
      "scim token list --tenant acme                        which one is not used any more?",
      "scim token import --tenant acme --scheme hmac-sha256 --hash 5f2b… --key-file pepper.txt",
    ],
  ],
  [
    "client",
    [
      'scim client create --tenant acme --connection okta --name "Okta preview"',
      "scim client secret add scimclient_acme_0199…         its secret; the token endpoint is /oauth2/token",
      "scim client show scimclient_acme_0199…               which secret is not used any more?",
      "scim client secret revoke scimclient_acme_0199… ID",
    ],
  ],
  [
    "webhook",
    [
      "scim webhook create --url https://hooks.example.com/scim --types User,Group.deleted",
      "scim webhook test 0199…                              does it answer?",
      "scim webhook list                                    what waits, and what failed?",
      "scim webhook dead 0199… && scim webhook replay 0199…",
    ],
  ],
  [
    "stream",
    [
      "scim stream create --url https://receiver.example.com/events --audience https://receiver.example.com",
      "scim stream create --audience https://receiver.example.com    asked for; prints the token that polls it",
      "scim stream rotate-key --now                         the key that signs must not be used any more",
    ],
  ],
]);
