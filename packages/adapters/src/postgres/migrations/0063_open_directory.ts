import type { Migration } from "./Migration.js"

export const openDirectory: Migration = {
  id: 63,
  name: "open_directory",
  note: "Companies and places that publishers give to everybody, shared by all workspaces, and how far each published file was loaded.",
  sql: `
CREATE TABLE open_loads (
  publisher text COLLATE "C" NOT NULL CONSTRAINT open_loads_publisher_check CHECK (
    publisher IN ('overture', 'brreg', 'prh', 'companies_house')
  ),
  part text COLLATE "C" NOT NULL,
  file_key text NOT NULL,
  claim_id uuid NOT NULL,
  generation integer NOT NULL,
  state text NOT NULL CONSTRAINT open_loads_state_check CHECK (state IN ('reading', 'sweeping', 'naming', 'ended')),
  position bigint NOT NULL,
  cursor text NOT NULL,
  added bigint NOT NULL,
  updated bigint NOT NULL,
  known bigint NOT NULL,
  retired bigint NOT NULL,
  refused json NOT NULL,
  held_before bigint,
  began_at timestamptz NOT NULL,
  ended_at timestamptz,
  PRIMARY KEY (publisher, part)
);

-- Lines of business, in their publishers' words.
CREATE TABLE open_categories (
  category_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text COLLATE "C" NOT NULL,
  -- Empty: the name says it.
  in_english text COLLATE "C" NOT NULL,
  UNIQUE (name, in_english)
);

-- Room is left in pages, so that a record that comes again without a change touches no index.
CREATE TABLE open_companies (
  publisher text COLLATE "C" NOT NULL,
  ref text COLLATE "C" NOT NULL,
  part text COLLATE "C" NOT NULL,
  generation integer NOT NULL,
  name text NOT NULL,
  domain text COLLATE "C",
  is_domain_stated boolean NOT NULL,
  category_id integer,
  city text,
  region text,
  country_code text COLLATE "C" NOT NULL,
  headcount integer CHECK (headcount >= 0),
  founded_year integer,
  url text,
  licence text NOT NULL,
  attribution text NOT NULL,
  observed_on date NOT NULL,
  score real NOT NULL,
  -- What is matched: folded by the service.
  name_key text COLLATE "C" NOT NULL,
  city_key text COLLATE "C",
  region_key text COLLATE "C",
  PRIMARY KEY (publisher, ref)
) WITH (fillfactor = 90);
CREATE INDEX open_companies_in_city ON open_companies (city_key, category_id, score DESC) WHERE domain IS NOT NULL;
CREATE INDEX open_companies_in_region ON open_companies (region_key, category_id, score DESC) WHERE domain IS NOT NULL;
CREATE INDEX open_companies_in_country ON open_companies (country_code, category_id, headcount) WHERE domain IS NOT NULL;
CREATE INDEX open_companies_of_category ON open_companies (category_id, headcount) WHERE domain IS NOT NULL;
CREATE INDEX open_companies_of_size ON open_companies (headcount) WHERE headcount IS NOT NULL AND domain IS NOT NULL;
CREATE INDEX open_companies_of_name ON open_companies (name_key, country_code, city_key);
CREATE INDEX open_companies_without_site ON open_companies (publisher, ref) WHERE NOT is_domain_stated;
`
}
