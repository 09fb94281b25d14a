/** Words as the check of a value knows them: which say nothing by themselves, and which say the same. */

const listed = (lines: ReadonlyArray<string>): ReadonlyArray<string> => lines.flatMap((line) => line.split(" "))

/** Short words and courtesies, which carry no statement of their own. No word of time or of denial is among them. */
const NEUTRAL: ReadonlySet<string> = new Set(
  listed([
    "a an the and or of in at on to for from by with as into about around near via per your you yours our we us i me my their they them its it this that these those which who where is are was were be been being has have had do does did s re ve ll am",
    "congrats congratulations saw see seen noticed notice read heard reading great nice exciting impressive love loved like well done hi hello dear also so very people new newly recent recently just latest now currently today when while how what there here his her he she team company companies business firm organisation organization announced announce announces announcement announcing news reported reports says said according round",
    "will all over some same such other way kudos huge big amazing fantastic wow than then among including",
    "role position title name work job award words word quote step thing idea interest thoughts story example piece article update own",
    "der die das den dem des ein eine einen einem einer eines und oder von in im an am auf zu zum zur fur mit bei aus als nach uber um durch ihr ihre ihren ihrem ihrer ihres sie wir unser unsere ist sind war waren wird werden wurde wurden hat haben hatte gratulation gluckwunsch herzlichen gelesen gesehen neu neue neuen neuer neues kurzlich gerade firma unternehmen gmbh sich es er dass sowie auch rund",
    "le la les l un une des du de d et ou en au aux dans sur pour par avec votre vos notre nos vous nous est sont a ont ete etre felicitations bravo vu lu nouveau nouvelle nouveaux nouvelles recent recemment societe entreprise chez son sa ses leur leurs qui que ce cette",
    "el los las un una unos unas y o de del al en con por para su sus tu tus vuestro vuestra es son fue han ha felicidades enhorabuena nuevo nueva nuevos nuevas reciente empresa compania que se",
    "il lo gli i la le uno una e ed di da del della dei delle nel nella al alla ai alle sul sulla col nuovo nuova nuovi nuove complimenti azienda sua suo suoi sue vostra vostro vostri vostre loro che si ha hanno",
    "u ze die dat de het een en van in op voor met uw jullie onze is zijn heeft hebben nieuw nieuwe gefeliciteerd bedrijf",
    "o os as um uma e do da dos das no na seu sua novo nova parabens empresa",
    "er era ert din ditt dina den det en ett och i pa av for med till fran ny nya nytt nye nyt deres jeres vores vart grattis gratulerer tillykke foretag",
    "w na z do i oraz dla od po wasz wasza wasze nowy nowa nowe gratulacje firma a se v ve pro vas vase novy nova nove ja uusi teidan"
  ])
)

/** Words that say how a figure is meant. */
export const AT_LEAST: ReadonlySet<string> = new Set(
  listed(["over above exceeding mehr uber plus more superior piu meer dan acima atleast least"])
)
export const ABOUT: ReadonlySet<string> = new Set(
  listed([
    "about around nearly almost roughly approximately circa ca etwa rund fast environ presque casi unos circa ongeveer some"
  ])
)

/** Words of which each says what the others say, in their normal form. */
const GROUPS: ReadonlyArray<ReadonlyArray<string>> = [
  "$ usd dollar dollars us",
  "€ eur euro euros",
  "£ gbp pound pounds",
  "% percent percentage prozent pourcent cent porcentaje procent",
  "raise raises raised raising leve levee levees lever funding fundraise fundraising financing investment finanzierung finanzierungsrunde financement inversion secure secures secured securing close closes closed closing",
  "hire hires hired hiring recruit recruits recruiting recruitment job jobs opening openings vacancy vacancies role roles position positions posting postings posted search searching look looks looking open offen offene offenen offener stelle stellen stellenanzeige poste postes seek seeks seeking",
  "office offices location locations site sites branch branches standort standorte niederlassung bureau bureaux hub hubs",
  "employee employees staff headcount people person persons mitarbeiter mitarbeitende beschaftigte workforce colleagues employes salaries empleados",
  "acquire acquires acquired acquiring acquisition buy buys bought buying takeover ubernimmt ubernahme rachat rachete adquiere adquisicion",
  "up rise rises rose risen rising increase increases increased increasing gain gains gained higher plus gestiegen stieg steigt hausse",
  "down fall falls fell fallen falling decrease decreases decreased decreasing drop drops dropped reduce reduces reduced reduction cut cuts cutting decline declines declined lower minus gesunken sank sinkt baisse",
  "take takes took taken taking",
  "go goes went gone going",
  "get gets got getting",
  "give gives gave given giving",
  "come comes came coming",
  "bring brings brought bringing",
  "send sends sent sending",
  "teach teaches taught teaching",
  "see sees saw seen",
  "know knows knew known",
  "show shows showed shown",
  "meet meets met meeting meetings",
  "run runs ran running",
  "begin begins began begun beginning start starts started starting",
  "sell sells sold selling sale",
  "win wins won winning gewinnt gewann gewonnen",
  "build builds built building",
  "make makes made making",
  "leave leaves left leaving",
  "pay pays paid paying",
  "find finds found finding findings",
  "spend spends spent spending",
  "hold holds held holding",
  "keep keeps kept keeping",
  "become becomes became becoming",
  "choose chooses chose chosen choosing pick picks picked picking select selects selected selecting",
  "write writes wrote written writing",
  "double doubles doubled doubling twice",
  "partner partners partnered partnering partnership partnerschaft partenariat",
  "customer customers client clients kunde kunden",
  "launch launches launched launching introduce introduces introduced introducing release releases released releasing unveil unveils unveiled unveiling",
  "open opens opened opening eroffnet eroffnung ouvre ouverture abre",
  "expand expands expanded expanding expansion expandiert",
  "grow grows grew grown growing growth wachst wachstum croissance crecimiento",
  "lead leads led leading head heads headed heading leitet leiter leiterin director",
  "appoint appoints appointed appointing appointment name names named naming promote promotes promoted promoting promotion join joins joined joining ernennt ernannt",
  "founded established since gegrundet seit fonde fondee depuis fundada",
  "use uses used using run runs running nutzt verwendet utilise",
  "headquarters headquartered hq based hauptsitz sitz siege sede",
  "vp vice",
  "ceo chief",
  "series serie",
  "api apis",
  "germany deutschland german",
  "france french",
  "uk britain british",
  "usa america american"
].map((line) => line.split(" "))

const groupOf: ReadonlyMap<string, ReadonlyArray<number>> = (() => {
  const found = new Map<string, Array<number>>()
  for (const [index, words] of GROUPS.entries()) {
    for (const word of words) found.set(word, [...(found.get(word) ?? []), index])
  }
  return found
})()

/** Words of address that are written with a capital within a sentence, as names are. */
const POLITE: ReadonlySet<string> = new Set(
  listed(["sie ihr ihre ihrem ihren ihrer ihres ihnen i u uw je du dein deine lei voi usted ustedes vous"])
)

export const isPolite = (word: string): boolean => POLITE.has(word)

/** Forms that a company takes, which its name may have or lack. */
const LEGAL_FORMS: ReadonlySet<string> = new Set(
  listed([
    "gmbh ag kg ug se mbh co inc llc llp ltd limited plc corp corporation company sa sas sarl sl srl spa bv nv oy ab as aps pty group holding"
  ])
)

export const isNeutral = (word: string): boolean => NEUTRAL.has(word)
export const isLegalForm = (word: string): boolean => LEGAL_FORMS.has(word)

/** Endings of words in the languages of companies' pages: of number, case, person, tense. */
const ENDINGS: ReadonlySet<string> = new Set([
  "",
  ...listed([
    "s es e ed d ing ings en er n em ment ments al ly y ies ied ion ions t te ten et a as o os i ee ees ees ung ungen st nd ive ance ence ying ication ications ering eert eren eerde iert ierung ieren ier ierte"
  ])
])

const STEM_MIN = 4

/** What a name may end in, beside its own letters: a genitive, a plural, a case. Mario is not Maria, and Dana not Dan. */
const NAME_ENDINGS: ReadonlySet<string> = new Set(listed(["s es n en ns"]))

const isSameName = (one: string, other: string): boolean => {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return long.startsWith(short) && NAME_ENDINGS.has(long.slice(short.length))
}

const VERBAL = /^(?:ing (?:e|es|ed|s|)|(?:e|es|ed|s|) ing|ying (?:ies|ied)|(?:ies|ied) ying)$/

/** A word's ending; a consonant that is written twice before it ("planning") belongs to the stem. */
const single = (word: string, at: number): string => {
  const end = word.slice(at)
  return end.length > 2 && end[0] === word[at - 1] ? end.slice(1) : end
}

/** One spelling of words that English has two of. */
const spelt = (word: string): string =>
  word
    .replace(/isation(s?)$/, "ization$1")
    .replace(/(?<=..)is(e|es|ed|ing)$/, "iz$1")
    .replace(/(?<=..)our(s?|ed|ing|ite)$/, "or$1")
    .replace(/(cent|met|theat|lit|fib)re(s?)$/, "$1er$2")
    .replace(/(licen|defen|offen)ce(s?|d)$/, "$1se$2")
    .replace(/programme(s?)$/, "program$1")
    .replace(/(?<=[aeo])ll(ed|ing|er)$/, "l$1")

/** Whether two words differ by an ending alone. */
const isSameStem = (one: string, other: string): boolean => {
  let shared = 0
  while (shared < one.length && shared < other.length && one[shared] === other[shared]) shared++
  // "Moves" and "moving" share three letters; "care" and "cars" are two words.
  if (shared === 3 && VERBAL.test(`${single(one, 3)} ${single(other, 3)}`)) return true
  const least = Math.min(STEM_MIN, other.length)
  for (let at = shared; at >= least; at--) {
    if (ENDINGS.has(single(one, at)) && ENDINGS.has(single(other, at))) return true
  }
  return false
}

/** How two words are written: as words, as names are, or as parts of a name of several words. */
export type Writing = "word" | "name" | "full_name"

/** Whether one word says what another says: the same word, another form of it, or one that means the same. */
export const saysSame = (one: string, other: string, writing: Writing = "word"): boolean => {
  if (one === other || spelt(one) === spelt(other)) return true
  const groups = groupOf.get(one)
  if (groups !== undefined && groupOf.get(other)?.some((group) => groups.includes(group)) === true) return true
  // A word of few letters, or with a figure, is itself: an "A" is no "B".
  if (one.length < 4 || other.length < 3 || /\d/.test(one)) return false
  if (writing === "full_name") return false
  return writing === "name" ? isSameName(one, other) : isSameStem(spelt(one), spelt(other))
}
