import { wordsOf, type WordsShown } from "@outbound/domain/calls/approvals/Snapshot.js"
import type { OriginKind } from "@outbound/domain/kernel/people/origins.js"
import { count, grouped } from "../../web/Words.js"
import { Section, Table } from "../Parts.js"
import { languageName, partList, whereName, WORDS_PATH } from "../../web/wordsNames.js"
import { Marked } from "./Marked.js"
import type { Part } from "./Part.js"

const KNOWN_BY = {
  person: "their own country",
  company: "their company’s",
  domain: "their domain’s"
} as const

const PLACE_WORDS = {
  off: "Nothing: the workspace has not set what people are told by their country.",
  message: "These words are in the first message to each person.",
  link: "These words are on the page behind a link in the first message."
} as const

/** By what the people of a line are known to be there. */
const known = ({ country, known_by, people }: WordsShown["countries"][number]): string => {
  if (country === null) return "unknown: the strictest words"
  const by = (Object.keys(KNOWN_BY) as ReadonlyArray<keyof typeof KNOWN_BY>).filter((one) => known_by[one] > 0)
  return by.map((one) => (known_by[one] === people ? KNOWN_BY[one] : `${KNOWN_BY[one]}: ${known_by[one]}`)).join(", ")
}

/** The people of a request by country, and what they are told because of it. */
export const WordsPart: Part = ({ of }) => {
  const words = wordsOf(of.approval.snapshot)
  if (words === undefined) return null
  const { countries, missing, place, texts } = words
  const isByVendor = words.is_by_vendor === true
  return (
    <Section id="words" title="Countries, and what people are told">
      <p class="soft">
        {isByVendor
          ? "The provider that sends this campaign carries no words: its messages have none of these, and nor does the page behind their way out."
          : PLACE_WORDS[place]}{" "}
        No text here is legal advice. <a href={WORDS_PATH}>Words by country</a>
      </p>
      <Table
        label="Countries"
        head={["Country", "Leads", "Known by", "Words of", "Language"]}
        numbers={[1]}
        rows={countries.map((line) => [
          line.country === null ? "Not known" : whereName(line.country),
          grouped(line.people),
          known(line),
          line.words_of === null ? "none" : whereName(line.words_of),
          languageName(line.language)
        ])}
      />
      {missing.map(({ language, parts, words_of }) => (
        <p class="note bad" key={`${words_of} ${language}`}>
          The words for {whereName(words_of)} in {languageName(language)} leave out: {partList(parts)}.
        </p>
      ))}
      {Object.keys(texts).length === 0 ? null : (
        <details>
          <summary>{count(Object.keys(texts).length, "text")}, whole</summary>
          {Object.entries(texts).map(([id, text]) => (
            <p class="card" key={id}>
              <Marked text={text} />
            </p>
          ))}
        </details>
      )}
    </Section>
  )
}

export const ORIGIN_WORDS: Readonly<Record<OriginKind, string>> = {
  listed: "A list of the workspace’s own",
  searched: "A search in others’ data",
  given: "Named by the agent or a person"
}

/** Where the addresses of a request came from, by kind. */
export const OriginsPart: Part = ({ of }) => {
  const { snapshot } = of.approval
  const origins = "origins" in snapshot ? snapshot.origins : undefined
  if (origins === undefined) return null
  return (
    <Section id="origins" title="Where the addresses came from">
      <Table
        label="Origins"
        head={["First from", "Leads"]}
        numbers={[1]}
        rows={origins.map(({ kind, people }) => [ORIGIN_WORDS[kind], grouped(people)])}
      />
    </Section>
  )
}
