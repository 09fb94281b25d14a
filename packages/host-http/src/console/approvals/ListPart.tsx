import type { ListScorecard } from "@outbound/domain/calls/approvals/Snapshot.js"
import { count, grouped, Moment } from "../../web/Words.js"
import { Facts, Section, Table } from "../Parts.js"
import { Marked } from "./Marked.js"
import type { Part } from "./Part.js"

const VERDICTS = [
  ["valid", "Valid"],
  ["catch_all_valid", "Valid, in a domain that takes every address"],
  ["catch_all_unknown", "Unknown, in a domain that takes every address"],
  ["risky", "Risky"],
  ["unknown", "Verified without a result"],
  ["invalid", "Invalid"]
] as const satisfies ReadonlyArray<readonly [keyof ListScorecard, string]>

const KINDS = [
  ["role", "Addresses of roles, such as info@"],
  ["disposable", "Disposable addresses"],
  ["free_mail", "Addresses at providers of mail, such as gmail.com"]
] as const satisfies ReadonlyArray<readonly [keyof ListScorecard, string]>

const ageWords = (days: number, from: number): string =>
  from === 0 ? `Up to ${days} days ago` : `${from + 1} to ${days} days ago`

const share = (people: number, of: number): string => (of === 0 ? "–" : `${Math.round((100 * people) / of)}%`)

const sum = (list: ListScorecard): number => list.verified + list.unverified

const ruleWords = ({ unverified_max_percent, verification_max_age_days }: ListScorecard): string =>
  `A verification counts for ${count(verification_max_age_days, "day")}. ${
    unverified_max_percent === null
      ? "No rule limits the share of addresses without one."
      : `At most ${unverified_max_percent}% may be without one.`
  }`

const rowsOf = (list: ListScorecard) => {
  const of = sum(list)
  const line = (words: string, people: number) => [words, grouped(people), share(people, of)]
  const noVerdict = list.unverified - list.unknown - list.invalid
  return [
    ...VERDICTS.flatMap(([member, words]) => (list[member] === 0 ? [] : [line(words, list[member])])),
    ...(noVerdict === 0 ? [] : [line("Not verified, or too long ago", noVerdict)]),
    ...KINDS.flatMap(([member, words]) => (list[member] === 0 ? [] : [line(words, list[member])]))
  ]
}

/** What was known of the addresses when it was asked for: verdicts, their age, kinds, and where most of the mail goes. */
export const ListPart: Part = ({ of: { approval } }) => {
  const { snapshot } = approval
  const list = "list" in snapshot ? snapshot.list : undefined
  if (list === undefined || sum(list) === 0) return null
  return (
    <Section id="list" title="The list">
      <Facts
        of={[
          ["Verified", `${grouped(list.verified)} of ${grouped(sum(list))}`, "big"],
          list.oldest_verified_at === null
            ? null
            : ["Oldest verification", <Moment atMillis={Date.parse(list.oldest_verified_at)} />],
          ["Rules", ruleWords(list)]
        ]}
      />
      <Table label="Addresses" head={["Addresses", "People", "Share"]} numbers={[1, 2]} rows={rowsOf(list)} />
      {list.verified === 0 ? null : (
        <Table
          label="Age of verifications"
          head={["Verified", "People"]}
          numbers={[1]}
          rows={list.verified_by_age.flatMap(({ days, people }, index) =>
            people === 0 ? [] : [[ageWords(days, list.verified_by_age[index - 1]?.days ?? 0), grouped(people)]]
          )}
        />
      )}
      <Table
        label="Receiving organisations"
        caption={`${count(list.domains_total, "organisation")}${list.domains_total > list.domains.length ? ", those with the most people" : ""}`}
        head={["Organisation", "People"]}
        numbers={[1]}
        rows={list.domains.map(({ domain, people }) => [<Marked text={domain} />, grouped(people)])}
      />
    </Section>
  )
}
