import type { Migration } from "./Migration.js"

/**
 * The workspace's own people and companies. Rows are found by terms, the lexemes of one inverted index. Each lexeme
 * begins with the end of the workspace's id and the row's share, one of 64 (16 for companies). So a broad search reads
 * only the first shares, and a narrow one finds short lists in all. Nothing is sorted. Rows don't store their terms;
 * the function that computes them is declared expensive, so that no plan runs it for every row.
 */
export const directory: Migration = {
  id: 12,
  name: "directory",
  note: "The workspace's own people and companies, and what they are searched by. Needs pg_trgm, a trusted extension.",
  sql: `
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- t: a word of the title. l: a city or a region. c: a country. i: an industry. h: a size band, as professional
-- networks have them.
CREATE FUNCTION directory_person_terms(
  workspace_id uuid, fingerprint text, title_folded text, city_key text, region_key text, country_key text,
  industry text, headcount integer
) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 5000 AS $$
DECLARE
  p text := right(workspace_id::text, 8) || left(fingerprint, 1);
BEGIN
  RETURN array_to_tsvector(array_remove(
    string_to_array(p || 't' || replace(title_folded, ' ', ' ' || p || 't'), ' ') || ARRAY[
      p || 'l' || city_key, p || 'l' || region_key, p || 'c' || country_key, p || 'i' || industry,
      p || 'h' || width_bucket(headcount, ARRAY[1, 2, 11, 51, 201, 501, 1001, 5001, 10001])
    ],
    NULL
  ));
END
$$;

-- w: a word of what the company is. The others as above.
CREATE FUNCTION directory_company_terms(
  workspace_id uuid, domain text, words_folded text, city_key text, region_key text, country_key text, industry text,
  headcount integer
) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 5000 AS $$
DECLARE
  p text := right(workspace_id::text, 8) || left(md5(domain), 1);
BEGIN
  RETURN array_to_tsvector(array_remove(
    string_to_array(p || 'w' || replace(replace(words_folded, E'\\n', ' '), ' ', ' ' || p || 'w'), ' ') || ARRAY[
      p || 'l' || city_key, p || 'l' || region_key, p || 'c' || country_key, p || 'i' || industry,
      p || 'h' || width_bucket(headcount, ARRAY[1, 2, 11, 51, 201, 501, 1001, 5001, 10001])
    ],
    NULL
  ));
END
$$;

CREATE TABLE directory_people (
  workspace_id uuid NOT NULL,
  -- The keyed hash of the address, where there is one: by it an erasure finds the row.
  fingerprint text COLLATE "C" NOT NULL,
  full_name text,
  first_name text,
  last_name text,
  title text,
  company_name text,
  company_domain text,
  headcount integer CHECK (headcount >= 0),
  industry text,
  city text,
  region text,
  country text,
  work_email text,
  email_status text CONSTRAINT directory_people_email_status_check CHECK (
    email_status IN ('valid', 'invalid', 'catch_all_valid', 'catch_all_unknown', 'risky', 'unknown')
  ),
  mobile_phone text,
  social_url text,
  observed_at timestamptz,
  imported_at timestamptz NOT NULL,
  -- What is matched: folded by the service.
  title_folded text COLLATE "C",
  city_key text COLLATE "C",
  region_key text COLLATE "C",
  country_key text COLLATE "C",
  name_key text COLLATE "C",
  company_key text COLLATE "C",
  social_key text COLLATE "C",
  PRIMARY KEY (workspace_id, fingerprint)
);
CREATE INDEX directory_people_of_company ON directory_people (workspace_id, company_key, name_key)
  WHERE company_key IS NOT NULL;
CREATE INDEX directory_people_of_profile ON directory_people (workspace_id, social_key) WHERE social_key IS NOT NULL;
-- Rows stand in the order of their imports: that is all it needs to find the oldest.
CREATE INDEX directory_people_oldest ON directory_people USING brin (imported_at);
-- What is not yet in its place in the index is read by every search, once for each share: little may wait.
CREATE INDEX directory_people_terms ON directory_people USING gin (
  directory_person_terms(workspace_id, fingerprint, title_folded, city_key, region_key, country_key, industry, headcount)
) WITH (gin_pending_list_limit = 512);

CREATE TABLE directory_companies (
  workspace_id uuid NOT NULL,
  domain text COLLATE "C" NOT NULL,
  name text,
  description text,
  specialties text[] NOT NULL,
  social_url text,
  headcount integer CHECK (headcount >= 0),
  industry text,
  city text,
  region text,
  country text,
  founded_year integer,
  total_funding_usd double precision,
  last_funding_round_date date,
  last_funding_round_amount_usd double precision,
  jobs_last_30_days integer CHECK (jobs_last_30_days >= 0),
  observed_at timestamptz,
  imported_at timestamptz NOT NULL,
  name_key text COLLATE "C",
  city_key text COLLATE "C",
  region_key text COLLATE "C",
  country_key text COLLATE "C",
  -- The description on the first line, then a specialty on each.
  about_folded text COLLATE "C" NOT NULL,
  -- That, and its name, industry and place.
  words_folded text COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, domain)
);
CREATE INDEX directory_companies_of_name ON directory_companies (workspace_id, name_key) WHERE name_key IS NOT NULL;
CREATE INDEX directory_companies_terms ON directory_companies USING gin (
  directory_company_terms(workspace_id, domain, words_folded, city_key, region_key, country_key, industry, headcount)
) WITH (gin_pending_list_limit = 512);

-- Every word that ever stood in a title (t) or said what a company is (w): what a phrase is a part of.
CREATE TABLE directory_words (
  workspace_id uuid NOT NULL,
  kind text COLLATE "C" NOT NULL CONSTRAINT directory_words_kind_check CHECK (kind IN ('t', 'w')),
  word text COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, kind, word)
);
CREATE INDEX directory_words_parts ON directory_words USING gin (word gin_trgm_ops) WITH (fastupdate = off);
`
}
