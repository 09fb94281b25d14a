/** What is kept, left and taken for what: shares of the published mail and of the blind set, with their goals. */
import { classify } from "@outbound/domain/outreach/meaning/classify.js"
import { ownText } from "@outbound/domain/outreach/meaning/ownText.js"
import { understand } from "@outbound/domain/outreach/meaning/understood.js"
import { refuses } from "@outbound/domain/outreach/replies/inboundEvent.js"
import { recognise } from "@outbound/domain/outreach/replies/recognise.js"
import { type BlindText, readBlind, RECEIVED_AT_MILLIS } from "./Corpus.js"
import { AROUND_PEOPLE, contentOf, readPrograms, readTails } from "./Mail.js"
import { scoreOf } from "./Scores.js"

export interface Share {
  readonly what: string
  readonly of: number
  readonly count: number
  readonly goal: string
  readonly isMet: boolean
  /** What is not so, to be looked at. */
  readonly not: ReadonlyArray<string>
}

const GAPS = ["\n\n", "\n\n\n"] as const

const words = (text: string): string => text.replace(/\s+/g, " ").trim()

/** Reads each text of a writer's own once: it stands above every tail. */
const classifiedOnce = () => {
  const known = new Map<string, ReturnType<typeof classify>>()
  return (own: string) => {
    const found = known.has(own) ? known.get(own) : classify(own)
    known.set(own, found ?? null)
    return found?.classification ?? null
  }
}

const answer = (bodyText: string, classification: ReturnType<ReturnType<typeof classifiedOnce>>): string => {
  const { intent } = understand({
    classification,
    fromEmail: "robin@ridge.example",
    bodyText,
    receivedAtMillis: RECEIVED_AT_MILLIS
  })
  return `${classification} ${intent}`
}

const kindOf = (...given: Parameters<typeof contentOf>): string => recognise(contentOf(...given)).kind

const share = (
  what: string,
  of: number,
  not: ReadonlyArray<string>,
  { goal, isWrong = false, most }: { readonly goal: string; readonly most: number; readonly isWrong?: boolean }
): Share => ({ what, of, count: isWrong ? not.length : of - not.length, goal, isMet: not.length <= most * of, not })

/** How requests to stop are read in the blind set. */
export const requestsAsked = (texts: ReadonlyArray<BlindText>) =>
  scoreOf(
    texts.map(
      ({ asks, text }) =>
        [
          asks ? "asks" : "does not",
          classify(ownText(text))?.classification === "unsubscribe" ? "asks" : "does not"
        ] as const
    ),
    "asks"
  )

/** Every share, with its goal. `each`: every so many texts stand above every tail. */
export const sharesOf = (docs: string, each: number): ReadonlyArray<Share> => {
  const tails = readTails(docs)
  const programs = readPrograms(docs)
  const blind = readBlind(docs)
  // One paragraph: whatever else follows is none of the writer's words.
  const said = blind.filter(({ text }) => !text.includes("\n"))
  const ofAll = said.filter((_, at) => at % each === 0)
  const kept: Array<string> = []
  const left: Array<string> = []
  const changed: Array<string> = []
  const classified = classifiedOnce()
  let pairs = 0
  for (const { id, text } of ofAll) {
    const alone = answer(text, classified(ownText(text)))
    for (const tail of tails) {
      for (const gap of GAPS) {
        pairs += 1
        const whole = `${text}${gap}${tail.text}`
        const separated = ownText(whole)
        const own = words(separated)
        const name = `${id} above ${tail.id}`
        if (!own.startsWith(words(text))) kept.push(name)
        else if (own !== words(text)) left.push(name)
        if (answer(whole, classified(separated)) !== alone) changed.push(name)
      }
    }
  }
  // An absence is a program's, whatever set it is in.
  const persons = said.filter(({ away }) => away !== true)
  const people = persons.flatMap(({ id, text }) =>
    AROUND_PEOPLE.flatMap((headers, at) => {
      const content = contentOf(text, { headers })
      const found = recognise(content)
      // Their program's mark doesn't hide a request to stop: it is heard all the same.
      return found.kind === "reply" || refuses(found, content) ? [] : [`${id} below headers ${at}: ${found.kind}`]
    })
  )
  const ofPrograms = programs.filter(({ kind }) => kind !== "bounce")
  const bounces = programs.filter(({ kind }) => kind === "bounce")
  const read = bounces.map((one) => ({ one, found: recognise(contentOf(one.text, one)) }))
  const isHard = ({ found }: (typeof read)[number]): boolean =>
    found.kind === "bounce" && !found.isDelay && found.bounce.type === "hard"
  const maybe = read.filter(({ one }) => one.expect !== "hard")
  const gone = read.filter(({ one }) => one.expect === "hard")
  const ids = (of: ReadonlyArray<(typeof read)[number]>): ReadonlyArray<string> => of.map(({ one }) => one.id)
  return [
    share("own words kept", pairs, kept, { goal: "100 %", most: 0 }),
    share("something of a notice, signature or quotation left", pairs, left, {
      goal: "≤ 2 %",
      most: 0.02,
      isWrong: true
    }),
    share("the same answer with and without it", pairs, changed, { goal: "≥ 99 %", most: 0.01 }),
    share("people taken for programs", persons.length * AROUND_PEOPLE.length, people, {
      goal: "0",
      most: 0,
      isWrong: true
    }),
    share(
      "programs taken for people",
      ofPrograms.length,
      ofPrograms.filter((one) => kindOf(one.text, one) === "reply").map(({ id }) => id),
      { goal: "≤ 1 %", most: 0.01, isWrong: true }
    ),
    share("bounces recognised", bounces.length, ids(read.filter(({ found }) => found.kind !== "bounce")), {
      goal: "≥ 99 %",
      most: 0.01
    }),
    share("addresses suppressed that may exist", maybe.length, ids(maybe.filter(isHard)), {
      goal: "0",
      most: 0,
      isWrong: true
    }),
    share("addresses suppressed that don't exist", gone.length, ids(gone.filter((one) => !isHard(one))), {
      goal: "≥ 99 %",
      most: 0.01
    })
  ]
}
