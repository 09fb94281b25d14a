/** The published sets of replies (`docs/corpora/replies`), with their labels. */
import { Schema } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"

/** What a person may mean. A bounce is no person's text. */
export const INTENTS = [
  "unsubscribe",
  "out_of_office",
  "referral",
  "wrong_person",
  "meeting",
  "interested",
  "not_now",
  "not_interested",
  "question",
  "other"
] as const
export type ReadIntent = (typeof INTENTS)[number]

/** When the texts were received, as the set's README says. */
export const RECEIVED_AT_MILLIS = Date.UTC(2026, 2, 2, 12)

const LANGUAGE = Schema.Literals(["de", "en", "es", "fr", "it", "nl", "pl", "pt", "sv"])

const Text = Schema.Struct({
  id: Schema.String.check(Schema.isPattern(/^(?:[rstfvx]\d{3}|w\d{4})$/)),
  language: Schema.Literals([...LANGUAGE.literals, "cs", "da", "fi", "nb"]),
  from_email: Schema.String,
  text: Schema.String
})

const Label = Schema.Struct({
  id: Schema.String,
  intent: Schema.Literals(INTENTS),
  referred_email: Schema.optional(Schema.String),
  returns_on: Schema.optional(Schema.String)
})
export type Label = typeof Label.Type

/** The halves of the first set, the second set, the halves of the third, the fourth and the fifth, and the sixth and the seventh, all of them held out. */
export type Part =
  | "development"
  | "held-out"
  | "second"
  | "third"
  | "third-held-out"
  | "fourth"
  | "fourth-held-out"
  | "fifth"
  | "fifth-held-out"
  | "sixth-held-out"
  | "seventh-held-out"
  | "later-held-out"

/** Whether neither rules nor model were changed for what it shows. */
export const isHeldOut = (part: Part): boolean => part.endsWith("held-out")

export interface LabelledText extends Label {
  readonly language: string
  readonly from_email: string
  readonly text: string
  readonly part: Part
}

const linesOf = <A, I>(folder: string, name: string, schema: Schema.Codec<A, I>): ReadonlyArray<A> =>
  readFileSync(join(folder, name), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => Schema.decodeSync(Schema.fromJsonString(schema), { onExcessProperty: "error" })(line))

/** In all sets but the second, the sixth and the seventh the odd numbers are for development, the even ones are held out. */
const partOf = (id: string): Part => {
  if (id.startsWith("s")) return "second"
  if (id.startsWith("x")) return "sixth-held-out"
  if (id.startsWith("w")) return "seventh-held-out"
  const isOdd = Number(id.slice(1)) % 2 === 1
  if (id.startsWith("v")) return isOdd ? "fifth" : "fifth-held-out"
  if (id.startsWith("f")) return isOdd ? "fourth" : "fourth-held-out"
  if (id.startsWith("t")) return isOdd ? "third" : "third-held-out"
  return isOdd ? "development" : "held-out"
}

export interface Corpus {
  /** The first set, which two people labelled. */
  readonly texts: ReadonlyArray<LabelledText>
  /** The second set, which its writer alone labelled. */
  readonly second: ReadonlyArray<LabelledText>
  /** The third set, by two writers who had seen nothing but the definitions. */
  readonly third: ReadonlyArray<LabelledText>
  /** The fourth set: requests to stop and what only looks like them, in 13 languages. The model of intents learns from no part of it. */
  readonly fourth: ReadonlyArray<LabelledText>
  /** The fifth set: the same in other styles, twice as many, written before its writer saw a misread text. */
  readonly fifth: ReadonlyArray<LabelledText>
  /** The sixth set: every intent in 13 languages, by a writer who saw nothing but the definitions. It is measured, and never learnt or looked at. */
  readonly sixth: ReadonlyArray<LabelledText>
  /** The seventh set: requests to stop, what only looks like them, and other answers, in 13 languages. As the sixth. */
  readonly seventh: ReadonlyArray<LabelledText>
  readonly labelsA: ReadonlyArray<Label>
  readonly labelsB: ReadonlyArray<Label>
}

const labelled = (folder: string, texts: string, labels: string): ReadonlyArray<LabelledText> => {
  const byId = new Map(linesOf(folder, labels, Label).map((label) => [label.id, label]))
  return linesOf(folder, texts, Text).map((text) => {
    const label = byId.get(text.id)
    if (label === undefined) throw new Error(`The text ${text.id} has no label`)
    return { ...text, ...label, part: partOf(text.id) }
  })
}

/** Reads the sets from `docs`, and fails if a text has no label. */
export const readCorpus = (docs: string): Corpus => {
  const folder = join(docs, "corpora/replies")
  return {
    texts: labelled(folder, "texts.jsonl", "labels.jsonl"),
    second: labelled(folder, "second-texts.jsonl", "second-labels.jsonl"),
    third: labelled(folder, "third-texts.jsonl", "third-labels.jsonl"),
    fourth: labelled(folder, "fourth-texts.jsonl", "fourth-labels.jsonl"),
    fifth: labelled(folder, "fifth-texts.jsonl", "fifth-labels.jsonl"),
    sixth: labelled(folder, "sixth-texts.jsonl", "sixth-labels.jsonl"),
    seventh: labelled(folder, "seventh-texts.jsonl", "seventh-labels.jsonl"),
    labelsA: linesOf(folder, "labels-a.jsonl", Label),
    labelsB: linesOf(folder, "labels-b.jsonl", Label)
  }
}

const Blind = Schema.Struct({
  id: Schema.String.check(Schema.isPattern(/^b\d{3}$/)),
  language: Text.fields.language,
  /** Whether the writer asks not to be written to again. */
  asks: Schema.Boolean,
  /** An absence, which a program sends. */
  away: Schema.optional(Schema.Boolean),
  text: Schema.String
})
export type BlindText = typeof Blind.Type

/** Reads the blind set: written before its writer saw a rule, a pattern or another set's texts. Nothing learns from it. */
export const readBlind = (docs: string): ReadonlyArray<BlindText> =>
  linesOf(join(docs, "corpora/replies"), "blind.jsonl", Blind)

const Injection = Schema.Struct({
  id: Schema.String.check(Schema.isPattern(/^[io]\d{3}$/)),
  language: LANGUAGE,
  /** `ordinary`: written to a person, in words that an injection could use. */
  kind: Schema.Literals(["addresses_an_agent", "ordinary"]),
  text: Schema.String
})
export type Injection = typeof Injection.Type

/** Reads the set of texts that address a program, and of those that only look like it (`docs/corpora/injections`). */
export const readInjections = (docs: string): ReadonlyArray<Injection> =>
  linesOf(join(docs, "corpora/injections"), "texts.jsonl", Injection)
