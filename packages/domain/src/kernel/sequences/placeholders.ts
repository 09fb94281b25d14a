/** What keeps a place in a text until somebody writes the words: "Hi XXX,", "Dear first_name", "[LINK]", "○○様", "lorem ipsum". */
import { withoutCode } from "./foreignTags.js"
import { mergeFieldOf } from "./mergeFields.js"

/** How messages begin, before whom they greet. */
const GREETING =
  /^[ \t]*(?:hi|hey|hello|dear|good (?:morning|day|afternoon|evening)|hallo|hej|hei|guten (?:tag|morgen)|liebe[rs]?|sehr geehrte[rs]?(?: (?:frau|herr))?|bonjour|salut|ch[eè]re?|hola|buenos d[ií]as|estimad[oa]|querid[oa]|ol[áa]|prezad[oa]|car[oa]|ciao|gentile|buongiorno|beste|geachte|k[æä]re|hyv[äa]|cześć|dzień dobry|szanown[ya]|dobrý den|ahoj|kedves|bună|merhaba|sayın|привет|здравствуйте|уважаем(?:ый|ая)|вітаю|γεια σας) +([^\n,!:;?]{1,40})/gimu

/** A row of signs where a name belongs. */
const SIGNS = /^(?:x{2,}|_{2,}|\*{3,}|\.{3,}|…+|[○◯●•]{1,})$/iu

/** Where Japanese names belong. */
const HONORED = /(?<![○◯〇●])[○◯〇●]{2,}\s{0,3}(?:様|さん|氏|殿|御中)/gu

/** Between brackets, never a person's text. */
const BRACKETED =
  /\[(?:_{2,}|[Xx]{2,}|●+|•+|TBD|TODO|L(?:ink|INK)|U(?:rl|RL)|S(?:ignature|IGNATURE)|[Uu](?:nsubscribe|NSUBSCRIBE)|[Oo]pt[- ]?[Oo]ut)(?: (?:here|link|url))?\](?!\()/gu

const FILLER = /\blorem ipsum\b/giu

/** A link that leads nowhere. */
const NOWHERE = /\bhttps?:\/\/(?=[)\]>"'<])/giu

/** Ours, in the wide braces of Asian keyboards, or with the backslash that some programs put before each. */
const BRACED =
  /(?:｛\s?[{｛]|\{\s?｛)[^{}｛｝\n]{1,60}[｝}]\s?[｝}]|\\\{\s?\\\{[^{}\n]{1,60}\}\s?\\\}|\\\{\\\{[^{}\\\n]{1,60}\\\}\\\}/gu

const NAME_CHARS_MIN = 4

const isNoName = (greeted: string): boolean => {
  const word = greeted.trim().replace(/^[([<]\s*|\s*[)\]>.]$/gu, "")
  if (SIGNS.test(word)) return true
  const field = mergeFieldOf(word)
  if (field === null || field.variable === null || field.variable.startsWith("custom.")) return false
  return field.isSure || /^name$/iu.test(word) || (field.isForeign && word.length >= NAME_CHARS_MIN)
}

/** Each placeholder of a template's own text, as it stands there. Variables of ours must be taken out before. */
export const placeholdersIn = (given: string): ReadonlyArray<string> => {
  const text = withoutCode(given)
  const greeted = [...text.matchAll(GREETING)].flatMap(([whole, name = ""]) => (isNoName(name) ? [whole.trim()] : []))
  const others = [HONORED, BRACKETED, FILLER, NOWHERE, BRACED].flatMap((pattern) => text.match(pattern) ?? [])
  return [...new Set([...greeted, ...others])]
}
