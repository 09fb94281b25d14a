import type { Migration } from "./Migration.js"

const COLUMNS = ["city", "region"] as const

/**
 * Rows of places and lines of business, the surest first, by the index of the column alone. The planner knows how many rows
 * a place has on average, not how many this one has: of a large city it would read all rows of each line and sort them.
 */
const probeIn = (column: (typeof COLUMNS)[number]): string => `
CREATE FUNCTION open_companies_in_${column}(
  keys text[], codes text[], lines integer[], rows_max integer,
  countries text[], headcount_min integer, headcount_max integer, unknown_size_passes boolean
) RETURNS SETOF open_companies LANGUAGE sql STABLE ROWS 1000 SET enable_bitmapscan = off AS $$
  SELECT found.* FROM unnest(keys, codes) AS p (key, code) CROSS JOIN unnest(lines) AS k (id) CROSS JOIN LATERAL (
    SELECT c.* FROM open_companies c
    WHERE c.${column}_key = p.key AND c.category_id = k.id AND c.domain IS NOT NULL
      AND (p.code IS NULL OR c.country_code = p.code)
      AND (countries = '{}' OR c.country_code = ANY(countries))
      AND CASE
        WHEN headcount_min IS NULL AND headcount_max IS NULL THEN true
        WHEN c.headcount IS NULL THEN unknown_size_passes
        ELSE c.headcount >= coalesce(headcount_min, 0) AND c.headcount <= coalesce(headcount_max, c.headcount)
      END
    ORDER BY c.score DESC LIMIT rows_max
  ) found
$$;
`

export const openProbes: Migration = {
  id: 78,
  name: "open_probes",
  note: "How companies of the open directory are found at places: by walking an index, whatever the size of the place.",
  sql: COLUMNS.map(probeIn).join("")
}
