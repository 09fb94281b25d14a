import type { Migration } from "./Migration.js"

export const sourceMemory: Migration = {
  id: 77,
  name: "source_memory",
  note: "What sources learnt by asking, shared by all hosts: where a company's openings stand, and how often a source finds something.",
  sql: `
CREATE TABLE company_boards (
  company_domain text COLLATE "C" PRIMARY KEY,
  place text NOT NULL CONSTRAINT company_boards_place_check CHECK (place IN ('board', 'pages', 'none')),
  system text,
  board text,
  proven_by text CONSTRAINT company_boards_proven_by_check CHECK (proven_by IN ('address', 'board_name', 'postings')),
  found_on text,
  learnt_at timestamptz NOT NULL,
  kept_until timestamptz NOT NULL,
  CONSTRAINT company_boards_board_check CHECK (
    num_nonnulls(system, board, proven_by, found_on) = CASE place WHEN 'board' THEN 4 ELSE 0 END
  )
);
CREATE INDEX company_boards_lapse ON company_boards (kept_until);

-- Counts of a source's lookups, by day.
CREATE TABLE source_outcomes (
  source text COLLATE "C" NOT NULL,
  day date NOT NULL,
  asked bigint NOT NULL CHECK (asked >= 0),
  found bigint NOT NULL CHECK (found BETWEEN 0 AND asked),
  took_millis bigint NOT NULL CHECK (took_millis >= 0),
  PRIMARY KEY (source, day)
);
`
}
