import type { LookKind } from "@outbound/domain/calls/approvals/Snapshot.js"

/** What deserves a look, as a heading of a list of people, and in a table. */
export const LOOK_WORDS: Readonly<Record<LookKind, { readonly title: string; readonly short: string }>> = {
  altered: { title: "A value that says something else than its evidence", short: "altered" },
  not_found: { title: "A value whose evidence was not found at its source", short: "not found" },
  placeholder: { title: "A leftover that another program should have filled in", short: "placeholder" },
  old: { title: "A value whose evidence is more than a year old", short: "old" },
  without_proof: { title: "A value without evidence", short: "without proof" },
  unchecked: { title: "A value whose evidence could not be checked", short: "not checked" },
  link: { title: "A link or address that only their own values bring", short: "link" },
  invisible: { title: "Characters that can’t be seen", short: "unseen characters" },
  look_alike: { title: "Letters that look like another script’s", short: "look-alike letters" },
  long: { title: "A value much longer than others’", short: "long value" },
  rare: { title: "A value that only one message has", short: "rare value" }
}

const NAMES: Readonly<Record<string, string>> = {
  first_name: "First name",
  last_name: "Last name",
  company_name: "Company",
  email: "Email"
}

/** A variable as the templates write it, with its name in words where it has one. */
export const variableWords = (name: string): string => NAMES[name] ?? name

/** The address of a page about an approval's content. */
export const contentPath = (
  approvalId: string,
  page: "people" | "values" | "person",
  query: Readonly<Record<string, string>> = {}
): string => {
  const text = new URLSearchParams(query).toString()
  return `/console/approvals/${approvalId}/${page}${text === "" ? "" : `?${text}`}`
}
