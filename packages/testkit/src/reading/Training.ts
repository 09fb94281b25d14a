/** Trains the model of replies: a linear one with a weight for each feature and intent (multinomial logistic regression). */
import { BUCKETS, bucketsOf } from "@outbound/domain/outreach/meaning/model/features.js"
import { INTENTS, type ReadIntent } from "./Corpus.js"
import { type Example, pick, randomFrom } from "./Patterns.js"

export interface Lesson {
  readonly buckets: Uint32Array
  readonly intent: number
  readonly weight: number
}

/** How a text that says both is meant: the first of two intents wins (`docs/corpora/replies/README.md`). */
const TOGETHER: ReadonlyArray<readonly [wins: ReadIntent, besides: ReadIntent]> = [
  ["unsubscribe", "not_interested"],
  ["unsubscribe", "question"],
  ["unsubscribe", "wrong_person"],
  ["unsubscribe", "not_now"],
  ["unsubscribe", "interested"],
  ["referral", "wrong_person"],
  ["referral", "not_interested"],
  ["not_now", "not_interested"],
  ["meeting", "interested"],
  ["interested", "question"],
  ...INTENTS.filter((intent) => intent !== "other").map((intent) => [intent, "other"] as const)
]

const GREETINGS: Readonly<Record<string, ReadonlyArray<string>>> = {
  en: ["Hi Marcus,", "Hello,", "Dear Mr Hale,", "Hey,", "Good morning Marcus,", "Dear Sir,", "Marcus -", "Hi there,"],
  de: [
    "Hallo Marcus,",
    "Guten Tag,",
    "Sehr geehrter Herr Hale,",
    "Hi,",
    "Grüezi,",
    "Servus,",
    "Moin,",
    "Lieber Herr Hale,"
  ],
  fr: ["Bonjour,", "Bonjour Marcus,", "Monsieur,", "Salut,", "Bonjour Monsieur Hale,", "Allô,"],
  es: ["Hola,", "Hola Marcus,", "Buenos días,", "Estimado señor Hale:", "Buenas,", "Estimado Marcus,"],
  it: ["Buongiorno,", "Ciao Marcus,", "Gentile Marcus,", "Salve,", "Egregio signor Hale,"],
  nl: ["Hallo,", "Hoi Marcus,", "Beste Marcus,", "Geachte heer Hale,", "Dag Marcus,", "Goedemorgen,"],
  pt: ["Olá,", "Olá Marcus,", "Bom dia,", "Oi,", "Prezado Marcus,", "Caro senhor Hale,", "Boa tarde,"],
  pl: ["Dzień dobry,", "Witam,", "Cześć,", "Szanowny Panie,", "Dzień dobry Panie Marcusie,"],
  sv: ["Hej,", "Hej Marcus,", "Hejsan,", "God morgon,", "Tjena,"],
  da: ["Hej,", "Hej Marcus,", "Goddag,", "God morgen,", "Kære Marcus,"],
  nb: ["Hei,", "Hei Marcus,", "God dag,", "God morgen,", "Kjære Marcus,"],
  fi: ["Hei,", "Hei Marcus,", "Hyvää päivää,", "Moi,", "Huomenta,"],
  cs: ["Dobrý den,", "Ahoj Marcusi,", "Vážený pane,", "Zdravím,", "Dobré ráno,"]
}

const ENDINGS: Readonly<Record<string, ReadonlyArray<string>>> = {
  en: ["Best, Kim", "Thanks", "Thank you!", "Pat", "Cheers, Dan", "Regards"],
  de: ["Viele Grüße, Kunz", "Danke", "LG Anna", "Gruß, Uwe", "Vielen Dank", "Freundliche Grüsse"],
  fr: ["Cordialement, Julie", "Merci", "Bien à vous", "Bonne journée", "Merci d'avance"],
  es: ["Saludos, Ana", "Gracias", "Un saludo", "Atte. Luis", "Muchas gracias"],
  it: ["Cordiali saluti, Anna", "Grazie", "Saluti", "Buona giornata", "Grazie mille"],
  nl: ["Groet, Jan", "Bedankt", "Met vriendelijke groet", "Mvg Sanne", "Alvast dank"],
  pt: ["Abraço, Rui", "Obrigado", "Cumprimentos", "Att, Paula", "Obrigada"],
  pl: ["Pozdrawiam, Ewa", "Dziękuję", "Z poważaniem", "Pozdrowienia", "Dzięki"],
  sv: ["Mvh Eva", "Tack", "Hälsningar", "Tack på förhand", "Vänligen, Per"],
  da: ["Mvh Eva", "Tak", "Venlig hilsen", "På forhånd tak", "Hilsen Per"],
  nb: ["Mvh Eva", "Takk", "Vennlig hilsen", "På forhånd takk", "Hilsen Per"],
  fi: ["T. Eeva", "Kiitos", "Ystävällisin terveisin", "Terveisin Pekka", "Kiitos etukäteen"],
  cs: ["S pozdravem", "Děkuji", "Díky, Eva", "Hezký den", "Děkuji předem"]
}

/** How many texts are also learnt with another one beside them. */
const TOGETHER_SHARE = 0.2

/** One letter is missing, doubled or in the wrong place. */
const mistyped = (text: string, random: () => number): string => {
  const at = 1 + Math.floor(random() * Math.max(1, text.length - 2))
  const [before, one, two, after] = [text.slice(0, at), text.charAt(at), text.charAt(at + 1), text.slice(at + 2)]
  if (!/\p{L}/u.test(one) || !/\p{L}/u.test(two)) return text
  return before + pick([two, two + one, one + one + two, one], random) + after
}

/** The texts as people send them: with greetings and endings, mistyped, and with something else said besides. */
export const varied = (examples: ReadonlyArray<Example>, seed: number): ReadonlyArray<Example> => {
  const random = randomFrom(seed)
  const of = new Map<string, Array<Example>>()
  for (const example of examples) {
    const key = `${example.language} ${example.intent}`
    of.set(key, [...(of.get(key) ?? []), example])
  }
  const found: Array<Example> = [...examples]
  for (const example of examples) {
    const { language, intent, text } = example
    const greeting =
      random() < 0.5 ? `${pick(GREETINGS[language] ?? [""], random)}${pick([" ", "\n", "\n\n"], random)}` : ""
    const ending =
      random() < 0.5 ? `${pick([" ", "\n", "\n\n"], random)}${pick(ENDINGS[language] ?? [""], random)}` : ""
    const plain = random() < 0.25 ? text.toLowerCase().replace(/[.,!;]/g, "") : text
    found.push({ ...example, text: `${greeting}${random() < 0.3 ? mistyped(plain, random) : plain}${ending}` })
    if (random() < TOGETHER_SHARE) {
      // As often with its like as with another intent, so that two sentences alone mean nothing.
      const pairs = TOGETHER.filter(([wins]) => wins === intent)
      const besides = pairs.length === 0 || random() < 0.5 ? intent : pick(pairs, random)[1]
      const others = of.get(`${language} ${besides}`) ?? [example]
      const { text: other } = pick(others, random)
      found.push({ ...example, text: random() < 0.5 ? `${text} ${other}` : `${other} ${text}` })
    }
  }
  return found
}

/** The lessons of texts. Each intent weighs the same, however many texts it has, but for those that are told to weigh more. */
export const lessonsOf = (
  examples: ReadonlyArray<Example>,
  weights: Partial<Record<ReadIntent, number>> = {}
): ReadonlyArray<Lesson> => {
  const count = (name: ReadIntent) => examples.filter(({ intent }) => intent === name).length
  const mean = examples.length / INTENTS.length
  const weightOf = new Map(INTENTS.map((name) => [name, ((weights[name] ?? 1) * mean) / count(name)]))
  return examples.map(({ intent, text }) => ({
    buckets: bucketsOf(text),
    intent: INTENTS.indexOf(intent),
    weight: weightOf.get(intent) ?? 1
  }))
}

/** The probabilities of the intents, from weights as they are learnt. */
const softmax = (scores: Float64Array): void => {
  const most = Math.max(...scores)
  let sum = 0
  for (let at = 0; at < scores.length; at++) sum += scores[at] = Math.exp((scores[at] ?? 0) - most)
  for (let at = 0; at < scores.length; at++) scores[at] = (scores[at] ?? 0) / sum
}

export interface HowToTrain {
  readonly rounds: number
  readonly rate: number
  readonly decay: number
  readonly seed: number
}

/** Learns the weights: `BUCKETS` rows of one weight an intent (AdaGrad, with weights decaying as they are used). */
export const train = (lessons: ReadonlyArray<Lesson>, { decay, rate, rounds, seed }: HowToTrain): Float64Array => {
  const size = INTENTS.length
  const weights = new Float64Array(BUCKETS * size)
  const squares = new Float64Array(BUCKETS * size).fill(1e-6)
  const random = randomFrom(seed)
  const order = lessons.map((_, at) => at)
  const scores = new Float64Array(size)
  for (let round = 0; round < rounds; round++) {
    for (let at = order.length - 1; at > 0; at--) {
      const other = Math.floor(random() * (at + 1))
      const [one = 0, two = 0] = [order[at], order[other]]
      order[at] = two
      order[other] = one
    }
    for (const at of order) {
      const lesson = lessons[at]
      if (lesson === undefined) continue
      const value = 1 / Math.sqrt(lesson.buckets.length)
      scores.fill(0)
      for (const bucket of lesson.buckets) {
        for (let intent = 0; intent < size; intent++)
          scores[intent] = (scores[intent] ?? 0) + (weights[bucket * size + intent] ?? 0) * value
      }
      softmax(scores)
      for (let intent = 0; intent < size; intent++) {
        const wrong = lesson.weight * ((scores[intent] ?? 0) - (intent === lesson.intent ? 1 : 0)) * value
        if (Math.abs(wrong) < 1e-7) continue
        for (const bucket of lesson.buckets) {
          const slot = bucket * size + intent
          const weight = weights[slot] ?? 0
          const slope = wrong + decay * weight
          const square = (squares[slot] ?? 0) + slope * slope
          squares[slot] = square
          weights[slot] = weight - (rate * slope) / Math.sqrt(square)
        }
      }
    }
  }
  return weights
}
