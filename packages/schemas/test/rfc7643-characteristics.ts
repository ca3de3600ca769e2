/**
 * The characteristics of RFC 7643 §8.7 with its errata applied, of the `pagination` of RFC 9865 §4 and of the
 * `securityEvents` of RFC 9967 §4: one line an attribute. The columns are path, type, one or many values, required,
 * letter case, mutability, returned, uniqueness, canonical values and reference types; `-` where one does not apply.
 */
export const USER = `
userName                 string    one  required ignore readWrite default server -                                     -
name                     complex   one  optional -      readWrite default -      -                                     -
name.formatted           string    one  optional ignore readWrite default none   -                                     -
name.familyName          string    one  optional ignore readWrite default none   -                                     -
name.givenName           string    one  optional ignore readWrite default none   -                                     -
name.middleName          string    one  optional ignore readWrite default none   -                                     -
name.honorificPrefix     string    one  optional ignore readWrite default none   -                                     -
name.honorificSuffix     string    one  optional ignore readWrite default none   -                                     -
displayName              string    one  optional ignore readWrite default none   -                                     -
nickName                 string    one  optional ignore readWrite default none   -                                     -
profileUrl               reference one  optional exact  readWrite default none   -                                     external
title                    string    one  optional ignore readWrite default none   -                                     -
userType                 string    one  optional ignore readWrite default none   -                                     -
preferredLanguage        string    one  optional ignore readWrite default none   -                                     -
locale                   string    one  optional ignore readWrite default none   -                                     -
timezone                 string    one  optional ignore readWrite default none   -                                     -
active                   boolean   one  optional -      readWrite default -      -                                     -
password                 string    one  optional ignore writeOnly never   none   -                                     -
emails                   complex   many optional -      readWrite default -      -                                     -
emails.value             string    one  optional ignore readWrite default none   -                                     -
emails.display           string    one  optional ignore readWrite default none   -                                     -
emails.type              string    one  optional ignore readWrite default none   work,home,other                       -
emails.primary           boolean   one  optional -      readWrite default -      -                                     -
phoneNumbers             complex   many optional -      readWrite default -      -                                     -
phoneNumbers.value       string    one  optional ignore readWrite default none   -                                     -
phoneNumbers.display     string    one  optional ignore readWrite default none   -                                     -
phoneNumbers.type        string    one  optional ignore readWrite default none   work,home,mobile,fax,pager,other      -
phoneNumbers.primary     boolean   one  optional -      readWrite default -      -                                     -
ims                      complex   many optional -      readWrite default -      -                                     -
ims.value                string    one  optional ignore readWrite default none   -                                     -
ims.display              string    one  optional ignore readWrite default none   -                                     -
ims.type                 string    one  optional ignore readWrite default none   aim,gtalk,icq,xmpp,msn,skype,qq,yahoo -
ims.primary              boolean   one  optional -      readWrite default -      -                                     -
photos                   complex   many optional -      readWrite default -      -                                     -
photos.value             reference one  optional exact  readWrite default none   -                                     external
photos.display           string    one  optional ignore readWrite default none   -                                     -
photos.type              string    one  optional ignore readWrite default none   photo,thumbnail                       -
photos.primary           boolean   one  optional -      readWrite default -      -                                     -
addresses                complex   many optional -      readWrite default -      -                                     -
addresses.formatted      string    one  optional ignore readWrite default none   -                                     -
addresses.streetAddress  string    one  optional ignore readWrite default none   -                                     -
addresses.locality       string    one  optional ignore readWrite default none   -                                     -
addresses.region         string    one  optional ignore readWrite default none   -                                     -
addresses.postalCode     string    one  optional ignore readWrite default none   -                                     -
addresses.country        string    one  optional ignore readWrite default none   -                                     -
addresses.type           string    one  optional ignore readWrite default none   work,home,other                       -
addresses.primary        boolean   one  optional -      readWrite default -      -                                     -
groups                   complex   many optional -      readOnly  default -      -                                     -
groups.value             string    one  optional exact  readOnly  default none   -                                     -
groups.$ref              reference one  optional exact  readOnly  default none   -                                     Group
groups.display           string    one  optional ignore readOnly  default none   -                                     -
groups.type              string    one  optional ignore readOnly  default none   direct,indirect                       -
entitlements             complex   many optional -      readWrite default -      -                                     -
entitlements.value       string    one  optional ignore readWrite default none   -                                     -
entitlements.display     string    one  optional ignore readWrite default none   -                                     -
entitlements.type        string    one  optional ignore readWrite default none   -                                     -
entitlements.primary     boolean   one  optional -      readWrite default -      -                                     -
roles                    complex   many optional -      readWrite default -      -                                     -
roles.value              string    one  optional ignore readWrite default none   -                                     -
roles.display            string    one  optional ignore readWrite default none   -                                     -
roles.type               string    one  optional ignore readWrite default none   -                                     -
roles.primary            boolean   one  optional -      readWrite default -      -                                     -
x509Certificates         complex   many optional -      readWrite default -      -                                     -
x509Certificates.value   binary    one  optional exact  readWrite default -      -                                     -
x509Certificates.display string    one  optional ignore readWrite default none   -                                     -
x509Certificates.type    string    one  optional ignore readWrite default none   -                                     -
x509Certificates.primary boolean   one  optional -      readWrite default -      -                                     -
`;

export const GROUP = `
displayName     string    one  required ignore readWrite default none -          -
members         complex   many optional -      readWrite default -    -          -
members.value   string    one  optional exact  immutable default none -          -
members.$ref    reference one  optional exact  immutable default none -          User,Group
members.type    string    one  optional ignore immutable default none User,Group -
members.display string    one  optional ignore readOnly  default none -          -
`;

export const ENTERPRISE_USER = `
employeeNumber      string    one optional ignore readWrite default none - -
costCenter          string    one optional ignore readWrite default none - -
organization        string    one optional ignore readWrite default none - -
division            string    one optional ignore readWrite default none - -
department          string    one optional ignore readWrite default none - -
manager             complex   one optional -      readWrite default -    - -
manager.value       string    one optional exact  readWrite default none - -
manager.$ref        reference one optional exact  readWrite default none - User
manager.displayName string    one optional ignore readOnly  default none - -
`;

export const SERVICE_PROVIDER_CONFIG = `
documentationUri                       reference one  optional exact  readOnly default none -                                                  external
patch                                  complex   one  required -      readOnly default -    -                                                  -
patch.supported                        boolean   one  required -      readOnly default -    -                                                  -
bulk                                   complex   one  required -      readOnly default -    -                                                  -
bulk.supported                         boolean   one  required -      readOnly default -    -                                                  -
bulk.maxOperations                     integer   one  required -      readOnly default none -                                                  -
bulk.maxPayloadSize                    integer   one  required -      readOnly default none -                                                  -
filter                                 complex   one  required -      readOnly default -    -                                                  -
filter.supported                       boolean   one  required -      readOnly default -    -                                                  -
filter.maxResults                      integer   one  required -      readOnly default none -                                                  -
changePassword                         complex   one  required -      readOnly default -    -                                                  -
changePassword.supported               boolean   one  required -      readOnly default -    -                                                  -
sort                                   complex   one  required -      readOnly default -    -                                                  -
sort.supported                         boolean   one  required -      readOnly default -    -                                                  -
etag                                   complex   one  required -      readOnly default -    -                                                  -
etag.supported                         boolean   one  required -      readOnly default -    -                                                  -
authenticationSchemes                  complex   many required -      readOnly default -    -                                                  -
authenticationSchemes.type             string    one  required ignore readOnly default none oauth,oauth2,oauthbearertoken,httpbasic,httpdigest -
authenticationSchemes.name             string    one  required ignore readOnly default none -                                                  -
authenticationSchemes.description      string    one  required ignore readOnly default none -                                                  -
authenticationSchemes.specUri          reference one  optional exact  readOnly default none -                                                  external
authenticationSchemes.documentationUri reference one  optional exact  readOnly default none -                                                  external
authenticationSchemes.primary          boolean   one  optional -      readOnly default -    -                                                  -
pagination                             complex   one  optional -      readOnly default -    -                                                  -
pagination.cursor                      boolean   one  required -      readOnly default -    -                                                  -
pagination.index                       boolean   one  required -      readOnly default -    -                                                  -
pagination.defaultPaginationMethod     string    one  optional ignore readOnly default none cursor,index                                       -
pagination.defaultPageSize             integer   one  optional -      readOnly default none -                                                  -
pagination.maxPageSize                 integer   one  optional -      readOnly default none -                                                  -
pagination.cursorTimeout               integer   one  optional -      readOnly default none -                                                  -
interopProfileConformant               boolean   one  optional -      readOnly default -    -                                                  -
securityEvents                         complex   one  optional -      readOnly default -    -                                                  -
securityEvents.asyncRequest            string    one  optional ignore readOnly default none none,long,request                                  -
securityEvents.eventUris               string    many optional exact  readOnly default none -                                                  -
`;

export const RESOURCE_TYPE = `
name                      string    one  required exact  readOnly default server - -
description               string    one  optional ignore readOnly default none   - -
endpoint                  reference one  required exact  readOnly default server - uri
schema                    reference one  required exact  readOnly default none   - uri
schemaExtensions          complex   many optional -      readOnly default -      - -
schemaExtensions.schema   reference one  required exact  readOnly default none   - uri
schemaExtensions.required boolean   one  required -      readOnly default -      - -
`;

export const SCHEMA = `
name                                     string  one  optional ignore readOnly default none -                                                                -
description                              string  one  optional ignore readOnly default none -                                                                -
attributes                               complex many required -      readOnly default -    -                                                                -
attributes.name                          string  one  required exact  readOnly default none -                                                                -
attributes.type                          string  one  required ignore readOnly default none string,complex,boolean,decimal,integer,dateTime,reference,binary -
attributes.multiValued                   boolean one  required -      readOnly default -    -                                                                -
attributes.description                   string  one  optional exact  readOnly default none -                                                                -
attributes.required                      boolean one  optional -      readOnly default -    -                                                                -
attributes.canonicalValues               string  many optional exact  readOnly default none -                                                                -
attributes.caseExact                     boolean one  optional -      readOnly default -    -                                                                -
attributes.mutability                    string  one  optional exact  readOnly default none readOnly,readWrite,immutable,writeOnly                           -
attributes.returned                      string  one  optional exact  readOnly default none always,never,default,request                                     -
attributes.uniqueness                    string  one  optional exact  readOnly default none none,server,global                                               -
attributes.referenceTypes                string  many optional exact  readOnly default none -                                                                -
attributes.subAttributes                 complex many optional -      readOnly default -    -                                                                -
attributes.subAttributes.name            string  one  required exact  readOnly default none -                                                                -
attributes.subAttributes.type            string  one  required ignore readOnly default none string,boolean,decimal,integer,dateTime,reference,binary         -
attributes.subAttributes.multiValued     boolean one  required -      readOnly default -    -                                                                -
attributes.subAttributes.description     string  one  optional exact  readOnly default none -                                                                -
attributes.subAttributes.required        boolean one  optional -      readOnly default -    -                                                                -
attributes.subAttributes.canonicalValues string  many optional exact  readOnly default none -                                                                -
attributes.subAttributes.caseExact       boolean one  optional -      readOnly default -    -                                                                -
attributes.subAttributes.mutability      string  one  optional exact  readOnly default none readOnly,readWrite,immutable,writeOnly                           -
attributes.subAttributes.returned        string  one  optional exact  readOnly default none always,never,default,request                                     -
attributes.subAttributes.uniqueness      string  one  optional exact  readOnly default none none,server,global                                               -
attributes.subAttributes.referenceTypes  string  many optional exact  readOnly default none -                                                                -
`;

/** RFC 7643 §3 and §3.1. */
export const COMMON = `
schemas           reference many required exact readWrite always  none   - uri
id                string    one  required exact readOnly  always  server - -
externalId        string    one  optional exact readWrite default none   - -
meta              complex   one  optional -     readOnly  default -      - -
meta.resourceType string    one  optional exact readOnly  default none   - -
meta.created      dateTime  one  optional -     readOnly  default none   - -
meta.lastModified dateTime  one  optional -     readOnly  default none   - -
meta.location     reference one  optional exact readOnly  default none   - uri
meta.version      string    one  optional exact readOnly  default none   - -
`;
