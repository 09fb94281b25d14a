/** The people of the directory's bench, made by PostgreSQL itself. */

export const GRADES = "Chief Senior Junior Lead Principal Regional Global Associate Deputy Group".split(" ")
export const AREAS = (
  "Sales,Marketing,Finance,Product,Engineering,Data,People,Legal,Operations,Security,Customer Success,Supply Chain," +
  "Quality,Design,Research"
).split(",")
export const ROLES =
  "Manager,Director,Analyst,Specialist,Engineer,Officer,Coordinator,Consultant,Partner,Vice President".split(",")
export const COUNTRIES =
  "United States,United Kingdom,Germany,France,Canada,Netherlands,India,Australia,Spain,Sweden,Italy,Switzerland,Poland,Denmark,Austria,Belgium,Ireland,Norway,Finland,Israel".split(
    ","
  )
const CODES = "US GB DE FR CA NL IN AU ES SE IT CH PL DK AT BE IE NO FI IL".split(" ")
export const INDUSTRIES = [
  "Software Development",
  "Banking",
  "Insurance",
  "Hospitals and Health Care",
  "Construction",
  "Telecommunications",
  "Higher Education",
  "Utilities",
  "Computer Games",
  "Semiconductor Manufacturing"
]
export const CITIES = 2_000
/** Rare words of titles, beside the usual ones. */
export const WORDS = 50_000

const array = (texts: ReadonlyArray<string>): string => `ARRAY[${texts.map((text) => `'${text}'`).join(",")}]`

/** Cities and countries are as unequal as real ones; a tenth of the titles has each role, and a twentieth a rare word. */
export const peopleSql = (workspaceId: string, people: number): string => `
  INSERT INTO directory_people (
    workspace_id, fingerprint, full_name, first_name, last_name, title, company_name, company_domain, headcount, industry,
    city, country, work_email, email_status, social_url, imported_at, title_folded, city_key, country_key, name_key,
    company_key, social_key
  )
  SELECT '${workspaceId}',
    substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + (h & 63), 1) || md5(n::text),
    'Ann-' || n || ' Doe', 'Ann-' || n, 'Doe', p.title, 'Company ' || n % 400000, 'company-' || n % 400000 || '.com',
    (10 ^ (h % 500 / 100.0::float8))::integer, v.industry[1 + h / 64 % 10], p.city, v.country[p.place],
    'ann-' || n || '@company-' || n % 400000 || '.com', 'valid', 'https://www.linkedin.com/in/ann-' || n, now(),
    lower(p.title), lower(p.city), v.code[p.place], 'ann-' || n || ' doe', 'company-' || n % 400000 || '.com',
    'linkedin.com/in/ann-' || n
  FROM generate_series(1, ${people}) n
  CROSS JOIN (
    SELECT ${array(GRADES)} AS grade, ${array(AREAS)} AS area, ${array(ROLES)} AS role, ${array(COUNTRIES)} AS country,
      ${array(CODES)} AS code, ${array(INDUSTRIES)} AS industry
    OFFSET 0
  ) v
  CROSS JOIN LATERAL (
    SELECT hashint4(n) & 2147483647 AS h, hashint4(n + 1000000007) & 2147483647 AS g, hashint4(-n) & 2147483647 AS k
  ) r
  CROSS JOIN LATERAL (
    SELECT v.grade[1 + g % 10] || ' ' || v.area[1 + g / 10 % 15] || ' ' || v.role[1 + g / 150 % 10]
        || CASE WHEN k % 20 = 0 THEN ' (w' || k / 20 % ${WORDS} || ')' ELSE '' END AS title,
      'City ' || floor(${CITIES} * power(k % 100000 / 100000.0::float8, 3))::integer AS city,
      1 + floor(20 * power(k / 7 % 100000 / 100000.0::float8, 2))::integer AS place
  ) p
`
