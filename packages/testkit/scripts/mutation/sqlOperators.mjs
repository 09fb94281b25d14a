/**
 * The faults that can be made in the text of a statement: a condition or a lock left out, a comparison or an order turned,
 * the least taken for the greatest. Works on the text of a template literal; what stands in `${}` is never looked into.
 */

/** Where a condition ends, at its own depth of parentheses. `IS DISTINCT FROM` doesn't end it. */
const ENDS =
  /\b(AND|OR|WHERE|ON|WHEN|THEN|ELSE|END|HAVING|ORDER|GROUP|LIMIT|RETURNING|UNION|FOR|JOIN|LEFT|INNER|CROSS|SET|DO|WINDOW|OFFSET|AS|(?<!DISTINCT\s)FROM)\b/y

/** `ON` of something else than a join. */
const NO_JOIN = /^\s*(CONFLICT|COMMIT|DELETE|UPDATE)\b/

/** Rows of one table are found in another by both columns of a key. The workspace's column adds nothing to a fresh id. */
const SAME_WORKSPACE = /^\s*\(?[\w.]*workspace_id\s*=\s*[a-z]\w*\.(workspace_id|w)\s*$/

const TURNED = [
  ["<=", "<"],
  [">=", ">"],
  ["<>", "="],
  ["<", "<="],
  [">", ">="]
]

/** What locks the rows that a statement reads, or waits for nobody who has. */
const LOCKS = /\bFOR (?:NO KEY )?(?:UPDATE|SHARE)\b(?: OF \w+)?(?: (?:SKIP LOCKED|NOWAIT))?/

const WORDS = [
  [new RegExp(LOCKS, "g"), "", "lock left out"],
  [/\bIS NOT NULL\b/g, "IS NULL", "null turned"],
  [/\bIS NULL\b/g, "IS NOT NULL", "null turned"],
  [/\bNOT EXISTS\b/g, "EXISTS", "exists turned"],
  [/(?<!NOT )\bEXISTS\b(?= ?\()/g, "NOT EXISTS", "exists turned"],
  [/\bLEAST\(/g, "GREATEST(", "least for greatest"],
  [/\bGREATEST\(/g, "LEAST(", "greatest for least"],
  [/\bmin\(/g, "max(", "min for max"],
  [/\bmax\(/g, "min(", "max for min"],
  [/\bDESC\b/g, "ASC", "order turned"],
  [/\bSELECT DISTINCT\b(?! ON)/g, "SELECT", "without distinct"],
  [/\bcount\(DISTINCT /g, "count(", "without distinct"],
  [/\bUNION ALL\b/g, "EXCEPT ALL", "union turned"],
  [/ \+ (?!interval)/g, " - ", "arithmetic"],
  [/(?<=[\w)}]) - (?=[\w($])/g, " + ", "arithmetic"],
  [/\btrue\b/g, "false", "boolean"],
  [/\bfalse\b/g, "true", "boolean"]
]

/** A lock by itself, as it is given to what makes the statement. */
export const isLock = (text) => new RegExp(`^${LOCKS.source}$`).test(text)

export const isSql = (text) =>
  /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM|WHERE|EXISTS|CASE WHEN|COALESCE|JOIN|AND|OR)\b/.test(text) &&
  /[=<>(]|\bIS\b/.test(text)

/** The text with what must not be looked into blanked: `${}`, quoted texts, comments, `->` and `=>`. */
const masked = (text, places) => {
  const chars =
    [...text].length === text.length ? text.split("") : Array.from({ length: text.length }, (_, i) => text[i])
  const blank = (start, end) => {
    for (let at = start; at < end; at++) chars[at] = "§"
  }
  for (const { end, start } of places) blank(start - 2, end + 1)
  const flat = chars.join("")
  for (const { 0: found, index } of flat.matchAll(/'[^']*'|--[^\n]*|->>?|=>|@>|<@|\|\|/g))
    blank(index, index + found.length)
  return chars.join("")
}

const endOf = (flat, start) => {
  let depth = 0
  for (let at = start; at < flat.length - 1; at++) {
    const char = flat[at]
    if (char === "(" || char === "[") depth += 1
    if (char === ")" || char === "]") depth -= 1
    if (depth < 0 || (depth === 0 && char === ",")) return at
    ENDS.lastIndex = at
    if (depth === 0 && ENDS.test(flat)) return at
  }
  return flat.length - 1
}

/** The conditions of the text: each a span that can become `true`, or `false` where that leaves it out. */
const conditions = (flat) => {
  const found = []
  for (const { 0: word, index } of flat.matchAll(/\b(WHERE|AND|ON|WHEN|HAVING|OR)\b/g)) {
    const start = index + word.length
    const before = flat.slice(0, index)
    if (word === "ON" && (NO_JOIN.test(flat.slice(start)) || /DISTINCT\s*$/.test(before))) continue
    // BETWEEN has an AND of its own.
    if (word === "AND" && /\bBETWEEN\s+\S+\s*$/.test(before)) continue
    const span = flat.slice(start, endOf(flat, start)).trimEnd()
    if (span.trim() === "" || /\b(BETWEEN|CASE|CONFLICT)\b/.test(span)) continue
    found.push({ start, end: start + span.length, word, span })
  }
  return found
}

export const sqlFaults = (text, places) => {
  const flat = masked(text, places)
  const faults = []
  const change = (kind, start, end, by) =>
    faults.push({ kind: `SQL: ${kind}`, changed: text.slice(0, start) + by + text.slice(end) })
  for (const { end, span, start, word } of conditions(flat)) {
    if (SAME_WORKSPACE.test(span)) continue
    change("condition left out", start, end, word === "OR" || word === "WHEN" ? " false" : " true")
  }
  for (const { 0: operator, index } of flat.matchAll(/<=|>=|<>|<|>/g)) {
    const turned = TURNED.find(([from]) => from === operator)
    if (turned !== undefined) change("comparison turned", index, index + operator.length, turned[1])
  }
  for (const [pattern, by, kind] of WORDS) {
    for (const { 0: found, index } of flat.matchAll(pattern)) change(kind, index, index + found.length, by)
  }
  return faults
}
