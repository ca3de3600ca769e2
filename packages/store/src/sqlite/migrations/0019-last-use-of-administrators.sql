-- When administrators who sign in by an issuer did so last.
-- oldest writer: 1
--
-- A program without this migration notes nothing of it.

ALTER TABLE admin_identities ADD COLUMN last_used TEXT;
