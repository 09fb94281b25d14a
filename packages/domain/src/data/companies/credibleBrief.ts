import { credibleParagraphs, credibleText, credibleUrl } from "../people/Credible.js"
import type { Brief, BriefSource } from "../../sources/ports/BriefWriter.js"
import { BRIEF_CHARS_MAX, BRIEF_SOURCES_MAX } from "../../verbs/EnrichCompany.js"
import { cutTo } from "./credibleCompany.js"

const credibleSource = ({ title, url }: BriefSource): ReadonlyArray<BriefSource> => {
  const credible = credibleUrl(url)
  return credible === null ? [] : [{ url: credible, title: credibleText(title) }]
}

/** The brief with what makes no sense left out; null where nothing is left of it, or nothing that it rests on. */
export const credibleBrief = (brief: Brief): Brief | null => {
  const text = credibleParagraphs(brief.text)
  if (text === null) return null
  const sources = new Map(brief.sources.flatMap(credibleSource).map((source) => [source.url, source]))
  if (sources.size === 0) return null
  return { text: cutTo(BRIEF_CHARS_MAX, text), sources: [...sources.values()].slice(0, BRIEF_SOURCES_MAX) }
}
