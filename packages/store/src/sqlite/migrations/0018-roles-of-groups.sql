-- Roles that groups of an issuer give to administrators.
-- oldest writer: 1
--
-- A program without this migration knows no administrators by groups.

ALTER TABLE admin_issuers ADD COLUMN group_roles TEXT; -- JSON object of claim and roles, or NULL for none
