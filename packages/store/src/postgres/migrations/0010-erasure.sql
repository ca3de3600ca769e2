-- What it takes to erase a person: secrets to destroy, and the list of those who were erased.
-- oldest writer: 1
--
-- A program without this migration that keeps an audit log hashes values without these secrets: an erasure cannot undo
-- those hashes. None was released.

-- What values of a resource are hashed with in the audit log, besides the key of the service.
CREATE TABLE subject_secrets (
  tenant text COLLATE "C" NOT NULL,
  id     text COLLATE "C" NOT NULL,
  type   text COLLATE "C" NOT NULL,
  secret text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, id, type)
);

-- Who was erased: the keyed hash of the id, so that a backup that is restored can be gone through again.
CREATE TABLE erasures (
  tenant  text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  key_id  text COLLATE "C" NOT NULL,
  at      text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, subject)
);
