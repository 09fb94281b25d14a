/**
 * `npm run bench -- reading`: how well we read the published sets of replies (`docs/corpora/replies`): the half that rules
 * and model were developed with, the half that they were not, and a second set; and requests to stop in all six.
 */
import { readByModel, readByRules, readText, type ReadText } from "@outbound/testkit/reading/Readers.js"
import { contentFlags } from "@outbound/domain/outreach/meaning/contentFlags.js"
import { INTENTS, isHeldOut, type Part, readCorpus, readInjections } from "@outbound/testkit/reading/Corpus.js"
import { readLater } from "@outbound/testkit/reading/Patterns.js"
import { agreement, confusion, kappa, macroF1, type Pair, scoreOf } from "@outbound/testkit/reading/Scores.js"
import { join } from "node:path"
import { n, row, tell } from "./Report.js"
import { sharesTable } from "./shares.js"

const docs = join(import.meta.dirname, "../../../../docs")
const corpus = readCorpus(docs)
const all = [...corpus.texts, ...corpus.second, ...corpus.third]
const read: ReadonlyArray<ReadText> = all.map(readText)
const PARTS = ["held-out", "third-held-out", "second", "third", "development"] as const
/** What neither rules nor model were changed for. */
const UNSEEN = PARTS.filter(isHeldOut)

const pairsOf = (texts: ReadonlyArray<ReadText>) => texts.map(({ intent, of }) => [of.intent, intent] as const)

/** What suppresses people: the classification on arrival, not the intent. */
const requestsOf = (texts: ReadonlyArray<ReadText>) =>
  texts.map(({ isUnsubscribe, of }): Pair<"asks" | "does not"> => [
    of.intent === "unsubscribe" ? "asks" : "does not",
    isUnsubscribe ? "asks" : "does not"
  ])

const percent = (share: number): string => n(100 * share, 1)

const scores = (part: Part): string => {
  const texts = read.filter(({ of }) => of.part === part)
  const pairs = pairsOf(texts)
  const requests = scoreOf(requestsOf(texts), "asks")
  return [
    row([`${part}: intent`, "texts", "precision", "recall", "F1"]),
    row(["---", "---:", "---:", "---:", "---:"]),
    ...INTENTS.map((intent) => {
      const score = scoreOf(pairs, intent)
      return row([
        `\`${intent}\``,
        String(score.texts),
        ...[score.precision, score.recall, score.f1].map((one) => n(one, 3))
      ])
    }),
    row(["macro-F1", String(texts.length), "", "", n(macroF1(pairs, INTENTS), 3)]),
    row([
      "asked not to be written to, suppressed",
      String(requests.texts),
      n(requests.precision, 3),
      n(requests.recall, 3),
      ""
    ])
  ].join("\n")
}

const matrix = (part: Part): string =>
  [
    row([`${part}: meant \\ read`, ...INTENTS.map((intent) => `\`${intent}\``)]),
    row(["---", ...INTENTS.map(() => "---:")]),
    ...confusion(pairsOf(read.filter(({ of }) => of.part === part)), INTENTS).map(([truth, counts]) =>
      row([`\`${truth}\``, ...counts.map((count) => (count === 0 ? "" : String(count)))])
    )
  ].join("\n")

const byId = new Map(corpus.labelsB.map(({ id, intent }) => [id, intent]))
const labels = corpus.labelsA.map(({ id, intent }) => [intent, byId.get(id) ?? intent] as const)

const READERS = [
  ["rules alone", all.map(readByRules)],
  ["model alone", all.map(readByModel)],
  ["both", read]
] as const

/** Each reader's macro-F1, and its precision and recall for requests to stop. */
const readers = [
  row(["texts", "read by", "macro-F1", "stop: precision", "recall"]),
  row(["---", "---", "---:", "---:", "---:"]),
  ...PARTS.flatMap((part) =>
    READERS.map(([name, by]) => {
      const texts = by.filter(({ of }) => of.part === part)
      const { precision, recall } = scoreOf(requestsOf(texts), "asks")
      return row([part, name, ...[macroF1(pairsOf(texts), INTENTS), precision, recall].map((one) => n(one, 3))])
    })
  )
].join("\n")

/** Requests to stop alone, in every half that no model learnt from, set by set and together. */
const HALVES = ["held-out", "third-held-out", "fourth-held-out", "fifth-held-out"] as const
const unseen = [...corpus.texts, ...corpus.third, ...corpus.fourth, ...corpus.fifth]
  .filter(({ part }) => isHeldOut(part))
  .map(readText)
const requestsRow = (name: string, of: ReadonlyArray<ReadText>): string => {
  const { precision, recall, texts } = scoreOf(requestsOf(of), "asks")
  return row([name, String(of.length), String(texts), n(precision, 3), n(recall, 3)])
}
const requested = [
  row(["requests to stop, unseen", "texts", "of them requests", "precision", "recall"]),
  row(["---", "---:", "---:", "---:", "---:"]),
  ...HALVES.map((part) =>
    requestsRow(
      part,
      unseen.filter(({ of }) => of.part === part)
    )
  ),
  requestsRow("**all four**", unseen)
].join("\n")

/** The sixth set, the seventh, and later answers by themselves. Only their shares are ever printed, so that nobody mends a text of them. */
const once = [
  row(["set", "read by", "texts", "of them requests", "macro-F1", "stop: precision", "recall"]),
  row(["---", "---", "---:", "---:", "---:", "---:", "---:"]),
  ...(
    [
      ["sixth, whose misread texts nobody saw", corpus.sixth],
      ["seventh, whose misread texts nobody saw", corpus.seventh],
      ["later answers, of which nothing learnt", readLater(docs)]
    ] as const
  ).flatMap(([set, texts]) =>
    (
      [
        ["rules alone", readByRules],
        ["model alone", readByModel],
        ["**both**", readText]
      ] as const
    ).map(([name, reader]) => {
      const of = texts.map(reader)
      const requests = scoreOf(requestsOf(of), "asks")
      const shares = [macroF1(pairsOf(of), INTENTS), requests.precision, requests.recall]
      return row([set, name, String(of.length), String(requests.texts), ...shares.map((one) => n(one, 3))])
    })
  )
].join("\n")

const table = [requested, once, readers, ...UNSEEN.map(scores)].join("\n\n")

tell(
  "reading",
  table,
  `## Reading ${read.length} replies in nine languages

How well we read [three published sets of replies](corpora/replies/README.md), without any header that says more and without
a judge. Two people labelled each of the first set's ${corpus.texts.length} texts: they agree in ${percent(agreement(labels))} % (kappa ${n(kappa(labels, INTENTS), 3)}).
The model learnt from \`development\`, \`second\` and \`third\`, so these say only that rules and model do what was meant. **The
two held-out halves say how they read what they were not changed for.** That of the third set is the harder one: its writers
had seen nothing but the definitions, and a third of its texts use the words of a request to stop and mean something else. The
first table adds the unseen halves of the fourth and fifth set, in 13 languages, half of whose texts only look like requests. The
second is of the sixth and the seventh set and of later answers, in 13 languages, which nothing learns from and whose misread texts nobody saw. What
rules and model are not sure of is left to the judge, if one is configured.

${table}

${UNSEEN.map(matrix).join("\n\n")}
`
)

const shares = sharesTable(docs)

tell(
  "shares",
  shares,
  `## What is kept, and taken for what

Each fourth text of the [blind set](corpora/replies/README.md#the-blind-set) above 67 [notices, signatures and quotations](corpora/mail/README.md) in
13 languages; the set's texts below headers that servers, lists and helpdesks add; mail of programs; bounces. Others' bounces are
[measured by themselves](#bounces-of-others-mail), as they are not ours to publish. The last rows read the blind set alone, whose requests no model learnt from.

${shares}
`
)

const screened = readInjections(docs).map(({ kind, language, text }) => {
  const isFlagged = contentFlags(text).includes("addresses_an_agent")
  return { language, isMeant: kind === "addresses_an_agent", isFlagged }
})
const share = (of: ReadonlyArray<{ readonly isFlagged: boolean }>): string =>
  `${of.filter(({ isFlagged }) => isFlagged).length} of ${of.length}`
const languages = [...new Set(screened.map(({ language }) => language))]
const answersFlagged = all.map(({ text }) => ({
  isFlagged: contentFlags(text).includes("addresses_an_agent")
}))
const screening = [
  row(["language", "address a program, flagged", "written to a person, flagged"]),
  row(["---", "---:", "---:"]),
  ...languages.map((language) => {
    const of = screened.filter((one) => one.language === language)
    return row([
      `\`${language}\``,
      share(of.filter(({ isMeant }) => isMeant)),
      share(of.filter(({ isMeant }) => !isMeant))
    ])
  }),
  row([
    "**all**",
    `**${share(screened.filter(({ isMeant }) => isMeant))}**`,
    `**${share(screened.filter(({ isMeant }) => !isMeant))}**`
  ]),
  row(["the replies above", "", share(answersFlagged)])
].join("\n")

tell(
  "screening",
  screening,
  `## Texts that address a program

How \`content_flags\` screens [a published set](corpora/injections/README.md) of replies that give orders to an agent, and of
ordinary replies that use the same words. One person wrote the texts and the rules, so this says that the rules do what was meant,
and not how they do on texts that nobody here has seen.

${screening}
`
)
