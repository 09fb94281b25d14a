/** In the place of the operator's model: it quotes what it was given, and lies once in a while, as models do. */

interface Asked {
  readonly messages: ReadonlyArray<{ readonly role: string; readonly content: string }>
}

/** What it adds to a true sentence. The service must not pass it on. */
export const LIE = "and leads the world market"

const SENTENCE_CHARS_MIN = 20

const pagesIn = (prompt: string): ReadonlyArray<string> =>
  [...prompt.matchAll(/\[\w+ PAGE \d+\]\n([\s\S]*?)\n(?=\[\w+ (?:PAGE \d+|END)\])/g)].map(([, text = ""]) => text)

const sentencesIn = (text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.length >= SENTENCE_CHARS_MIN && line.endsWith("."))

const brief = (prompt: string) => {
  const said = pagesIn(prompt).flatMap((text, at) => sentencesIn(text).map((quote) => ({ quote, page: at + 1 })))
  const sentences = said.map(({ page, quote }, at) => ({
    sentence: at % 3 === 2 ? quote.replace(/\.$/, ` ${LIE}.`) : quote,
    page,
    quote
  }))
  return { sentences }
}

const wordsOf = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[a-z]{5,}/g) ?? []

const judgement = (prompt: string) => {
  const [, question = ""] = /\[\w+ QUESTION\]\n([\s\S]*?)\n\[\w+ END\]/.exec(prompt) ?? []
  const claim = /"(.*)"/s.exec(question)?.[1] ?? null
  const wanted = wordsOf(question).filter((word) => word !== "company")
  for (const [at, text] of pagesIn(prompt).entries()) {
    for (const line of sentencesIn(text)) {
      const words = wordsOf(line)
      const isSaid = claim === null ? wanted.filter((word) => words.includes(word)).length >= 2 : line.includes(claim)
      if (isSaid) return { answer: "yes", page: at + 1, excerpt: line }
    }
  }
  return { answer: "not_found", page: null, excerpt: null }
}

/** A completion in the common format. */
export const answerOf = ({ messages }: Asked) => {
  const [system = "", prompt = ""] = messages.map(({ content }) => content)
  const content = JSON.stringify(system.includes("write what a company is") ? brief(prompt) : judgement(prompt))
  return {
    id: "c1",
    object: "chat.completion",
    created: 0,
    model: "stand-in",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 }
  }
}
