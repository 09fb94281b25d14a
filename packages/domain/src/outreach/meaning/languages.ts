import { fold } from "./phrases.js"

/**
 * Which languages a text may be in, by its script and its commonest words. A phrase means something in its own language
 * only: the Portuguese "pare" is an English fruit knife, and the German "Post" everybody's.
 */

/** The names of the groups of phrases, and other languages that a text may be in. */
export type Language =
  | "en"
  | "de"
  | "fr"
  | "es"
  | "it"
  | "nl"
  | "pt"
  | "pl"
  | "nordic"
  | "fi"
  | "cs"
  | "hu"
  | "ro"
  | "tr"
  | "hr"
  | "baltic"
  | "id"
  | "vi"
  | "la"
  | "ru"
  | "el"
  | "ja"
  | "zh"
  | "ko"
  | "he"
  | "ar"
  | "th"

/** Common short words, folded. Each is a word of its language in nearly every longer text of it. */
const COMMON: Readonly<Partial<Record<Language, string>>> = {
  en: "the and you your to of in is it for on this that with are was be have has not we i i'm my me our us can will would do don't please from at if so but as an by or what when how who no yes any more just thanks thank regards hi hello list emails email off out up about need want get send know one see let again stop all",
  de: "der die das und ich sie wir ist nicht ein eine einen einer zu den dem des mit auf fur von im an auch als es bei aus nach wie oder bitte mir mich uns unser unsere ihr ihre ihnen ihrem ihren ihrer kein keine keinen danke haben habe hat sind wird werden kann konnen noch mehr schon nur aber wenn was dass mal hallo gruss gern gerne nein ja bin zum zur diese dieser dieses meine meinen mein war wurde um so dann",
  fr: "le la les de des du un une et je vous nous ne pas est que qui pour dans sur avec ce cette ces mon ma mes notre votre vos nos merci bonjour plus au aux en par il elle on se si mais ou ai avez avons suis sommes sont cela ca c'est j'ai n'est d'un d'une l'on oui non tres bien etre fait tout moi svp m'envoyer n'ai d'avance qu'il jour",
  es: "el la los las de que y en un una no se por para con su sus mi mis me nos les le lo es son esta este esto estos al del como pero mas muy ya si gracias hola favor o estoy estamos tengo tenemos ha he han hay ser sin sobre usted ustedes correo correos buenos dias saludos nuestra nuestro todo cuando donde quien porque desde hasta tambien",
  it: "il lo la i gli le di che e un una non per con si mi ci vi su del della dei delle al alla nel nella da dal sono siamo ho abbiamo e' questo questa questi come ma piu anche se grazie buongiorno salve prego vostra vostro vostri nostra nostro mia mio mie miei essere ha hanno quando cosa perche gia molto bene tutto per favore ne o a",
  nl: "de het een en van ik je u we wij niet is dat die dit op te in voor met zijn aan er maar om ook als bij naar uit nog wel geen heb hebben heeft kan kunt graag bedankt dank groet groeten mijn onze ons uw jullie jou wat hoe wie waar of zo al meer deze door tot over worden wordt ben was mij me beste hallo goed nu dan",
  pt: "o a os as de que e em um uma nao se por para com seu sua seus suas meu minha meus me nos lhe do da dos das no na nas ao mais mas muito ja sim obrigado obrigada ola bom dia favor ou estou estamos tenho temos foi ser sao esta este isso essa voce voces nosso nossa quando onde quem porque ate tambem pelo pela como tudo",
  pl: "i w na z do nie sie ze to jest jak o po co za od dla przez prosze dziekuje dziekujemy dzien dobry czy ale juz tylko tak mam mamy jestem jestesmy mnie mi moj moja moje nas nasz nasza nam pan pani panstwo panstwa wam bardzo moze bedzie byc byl tego tym ten ta te oraz lub kiedy gdzie jestesmy pozdrawiam",
  nordic:
    "och det att en ett som pa ar av for med den inte jag du vi ni han hon har till om men var kan ska skulle min mitt mina er era oss mig dig de sa hej tack nar hur vad eller fran ut og ikke jeg det er et til vi deg meg dere jer takk tak vil skal kunne blev blir vaere efter etter denne dette disse mer mere bara kun ikkje",
  fi: "ja on ei se etta en olen olemme mutta kun niin tai jos hei kiitos mita miten kanssa sita tama taman ovat voi voisitte mina me te minun teidan meidan ole myos vain",
  cs: "a je se na v ze s z do to si jsem jsme jste nam vam mi me neni by jako ale uz dobry den dekuji dekujeme prosim pro od po pri ktery nebo kdyz jak co ve za tak vas nas jen ano ne som sme ste pre aby dakujem prosim vam alebo uz",
  hu: "a az es nem hogy egy is van meg ez de csak koszonom koszonjuk kerem kerjuk vagy mar mint nekem nekunk az ugy ha mit ki volt lesz vagyok vagyunk tisztelt kedves onok",
  ro: "si in de la cu nu pe este sunt un o va rog multumesc multumim pentru ca din mai ce am avem ati dumneavoastra buna ziua mesaj sau dar daca imi ne sa le al",
  tr: "ve bir bu icin da de ile cok ben biz siz degil var yok mi ne gibi daha ama tesekkurler tesekkur ederim ederiz lutfen merhaba bizim benim sizin olarak kadar olan evet hayır iyi",
  hr: "i je u na se da za su od sa nije ne to smo ste sam koji kao ali ili hvala molim vas nam vam mi me dan dobar postovani bih bi kod li sto jos samo ce pozdrav",
  baltic:
    "ir un ar par no uz ka to es mes mums jus jums nav paldies ludzu kad vai bet tas ja kas dabar aciu prasau yra kad nera mano musu jusu ja on ei et see ma me te palun aitah kui mis meie teie tere",
  id: "yang dan di ke dari untuk dengan tidak ini itu saya kami anda akan ada terima kasih pada adalah juga sudah bisa tolong",
  vi: "la va cua toi khong cho co nhung ban anh chi cam on vui long duoc mot cac nay voi",
  la: "et in ad ut non est sed cum ac sit amet dolor ipsum lorem eu nec quis vel sed enim nulla eget vitae"
}

const WORDS = (Object.entries(COMMON) as ReadonlyArray<readonly [Language, string]>).map(
  ([language, words]) => [language, new Set(words.split(" "))] as const
)

const SCRIPTS: ReadonlyArray<readonly [RegExp, Language]> = [
  [/[\u3040-\u30ff]/gu, "ja"],
  [/\p{Script=Hangul}/gu, "ko"],
  [/\p{Script=Han}/gu, "zh"],
  [/\p{Script=Cyrillic}/gu, "ru"],
  [/\p{Script=Greek}/gu, "el"],
  [/\p{Script=Hebrew}/gu, "he"],
  [/\p{Script=Arabic}/gu, "ar"],
  [/\p{Script=Thai}/gu, "th"]
]

/** Letters that say more than a word, as long as nobody took their marks away. */
const LETTERS: ReadonlyArray<readonly [RegExp, ReadonlyArray<Language>, number]> = [
  [/[åøæ]/iu, ["nordic"], 2],
  [/[äö]/iu, ["de", "fi", "nordic"], 1],
  [/ß/u, ["de"], 2],
  [/[łąęśźżń]/iu, ["pl"], 2],
  [/[řěů]/iu, ["cs"], 2],
  [/[šč]/iu, ["cs", "hr", "baltic"], 1],
  [/[ñ¿¡]/iu, ["es"], 2],
  [/[ãõ]/iu, ["pt"], 2],
  [/[œùûî]/iu, ["fr"], 1],
  [/[őű]/iu, ["hu"], 2],
  [/[ğşı]/u, ["tr"], 2],
  [/[șță]/iu, ["ro"], 2]
]

/** How much of a text tells its language, and how short a text may be in any. */
const CHARS_MAX = 2_000
const WORDS_SHORT = 6

/** In so few words one common word more or less says little, as languages have the shortest ones in common. */
const WORDS_FEW = 12

/** A language with so much of the best one's words may be meant as well: they have words in common. */
const SHARE_MIN = 0.6

/** Groups of phrases of every language. */
const ANY: ReadonlySet<string> = new Set(["all", "authorities"])

export interface Languages {
  /** The one it is most likely in; null: it is too short to tell. */
  readonly likeliest: Language | null
  /** Whether these phrases may be meant. */
  readonly has: (language: string) => boolean
}

/**
 * The languages that a text may be in; a text of a few words may be in any of its script. `marked`: the text before the
 * marks of its letters were taken away.
 */
export const languagesOf = (text: string, marked: string = text): Languages => {
  const beginning = text.slice(0, CHARS_MAX)
  const latin = beginning.match(/\p{Script=Latin}/gu)?.length ?? 0
  for (const [script, language] of SCRIPTS) {
    const letters = beginning.match(script)?.length ?? 0
    if (letters > latin || (letters > 0 && latin === 0))
      return { likeliest: language, has: (one) => one === language || ANY.has(one) }
  }
  const words = fold(beginning).match(/[\p{L}\p{N}']+/gu) ?? []
  const composed = marked.slice(0, CHARS_MAX).normalize("NFC")
  const byLetters = LETTERS.filter(([letters]) => letters.test(composed))
  const counts = WORDS.map(([language, common]) => {
    const letters = byLetters.reduce((sum, [, of, worth]) => sum + (of.includes(language) ? worth : 0), 0)
    return [language, words.filter((word) => common.has(word)).length + letters] as const
  })
  const most = Math.max(...counts.map(([, count]) => count))
  if (words.length <= WORDS_SHORT && most <= 1) return { likeliest: null, has: () => true }
  const least = words.length <= WORDS_FEW ? Math.min(SHARE_MIN * most, most - 1) : SHARE_MIN * most
  const found = new Set<string>([...ANY, "en"])
  for (const [language, count] of counts) if (count > 0 && count >= least) found.add(language)
  return {
    // Of several it is the first: those that people mostly write to us stand above the others.
    likeliest: counts.find(([language, count]) => count > 0 && found.has(language) && count >= most)?.[0] ?? null,
    has: (language) => found.has(language)
  }
}
