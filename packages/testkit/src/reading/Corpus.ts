/** The published set of replies (`docs/corpora/replies`), with the labels of both people and the agreed ones. */
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

const Text = Schema.Struct({
  id: Schema.String.pipe(Schema.pattern(/^r\d{3}$/)),
  language: Schema.Literal("de", "en", "es", "fr", "it", "nl", "pl", "pt", "sv"),
  from_email: Schema.String,
  text: Schema.String
})

const Label = Schema.Struct({
  id: Schema.String,
  intent: Schema.Literal(...INTENTS),
  referred_email: Schema.optional(Schema.String),
  returns_on: Schema.optional(Schema.String)
})
export type Label = typeof Label.Type

export type Half = "development" | "held-out"

export interface LabelledText extends Label {
  readonly language: string
  readonly from_email: string
  readonly text: string
  readonly half: Half
}

const linesOf = <A, I>(folder: string, name: string, schema: Schema.Schema<A, I>): ReadonlyArray<A> =>
  readFileSync(join(folder, name), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => Schema.decodeSync(Schema.parseJson(schema), { onExcessProperty: "error" })(line))

/** The odd numbers are for development, the even ones are held out. */
export const halfOf = (id: string): Half => (Number(id.slice(1)) % 2 === 1 ? "development" : "held-out")

export interface Corpus {
  readonly texts: ReadonlyArray<LabelledText>
  readonly labelsA: ReadonlyArray<Label>
  readonly labelsB: ReadonlyArray<Label>
}

/** Reads the set from `docs`, and fails if a text has no label. */
export const readCorpus = (docs: string): Corpus => {
  const folder = join(docs, "corpora/replies")
  const labels = new Map(linesOf(folder, "labels.jsonl", Label).map((label) => [label.id, label]))
  const texts = linesOf(folder, "texts.jsonl", Text).map((text) => {
    const label = labels.get(text.id)
    if (label === undefined) throw new Error(`The text ${text.id} has no label`)
    return { ...text, ...label, half: halfOf(text.id) }
  })
  const [labelsA, labelsB] = ["labels-a.jsonl", "labels-b.jsonl"].map((name) => linesOf(folder, name, Label))
  return { texts, labelsA: labelsA ?? [], labelsB: labelsB ?? [] }
}
