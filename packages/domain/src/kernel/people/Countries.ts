/** A country of ISO 3166-1. */
export interface Country {
  /** Alpha-2, upper case. */
  readonly code: string
  /** Alpha-3, upper case. */
  readonly code3: string
  /** Its English name in CLDR: "Germany". */
  readonly name: string
}

/** Every alpha-2 code with its alpha-3 code. */
const CODES = `
ADAND AEARE AFAFG AGATG AIAIA ALALB AMARM AOAGO AQATA ARARG ASASM ATAUT AUAUS AWABW AXALA AZAZE BABIH BBBRB BDBGD BEBEL
BFBFA BGBGR BHBHR BIBDI BJBEN BLBLM BMBMU BNBRN BOBOL BQBES BRBRA BSBHS BTBTN BVBVT BWBWA BYBLR BZBLZ CACAN CCCCK CDCOD
CFCAF CGCOG CHCHE CICIV CKCOK CLCHL CMCMR CNCHN COCOL CRCRI CUCUB CVCPV CWCUW CXCXR CYCYP CZCZE DEDEU DJDJI DKDNK DMDMA
DODOM DZDZA ECECU EEEST EGEGY EHESH ERERI ESESP ETETH FIFIN FJFJI FKFLK FMFSM FOFRO FRFRA GAGAB GBGBR GDGRD GEGEO GFGUF
GGGGY GHGHA GIGIB GLGRL GMGMB GNGIN GPGLP GQGNQ GRGRC GSSGS GTGTM GUGUM GWGNB GYGUY HKHKG HMHMD HNHND HRHRV HTHTI HUHUN
IDIDN IEIRL ILISR IMIMN ININD IOIOT IQIRQ IRIRN ISISL ITITA JEJEY JMJAM JOJOR JPJPN KEKEN KGKGZ KHKHM KIKIR KMCOM KNKNA
KPPRK KRKOR KWKWT KYCYM KZKAZ LALAO LBLBN LCLCA LILIE LKLKA LRLBR LSLSO LTLTU LULUX LVLVA LYLBY MAMAR MCMCO MDMDA MEMNE
MFMAF MGMDG MHMHL MKMKD MLMLI MMMMR MNMNG MOMAC MPMNP MQMTQ MRMRT MSMSR MTMLT MUMUS MVMDV MWMWI MXMEX MYMYS MZMOZ NANAM
NCNCL NENER NFNFK NGNGA NINIC NLNLD NONOR NPNPL NRNRU NUNIU NZNZL OMOMN PAPAN PEPER PFPYF PGPNG PHPHL PKPAK PLPOL PMSPM
PNPCN PRPRI PSPSE PTPRT PWPLW PYPRY QAQAT REREU ROROU RSSRB RURUS RWRWA SASAU SBSLB SCSYC SDSDN SESWE SGSGP SHSHN SISVN
SJSJM SKSVK SLSLE SMSMR SNSEN SOSOM SRSUR SSSSD STSTP SVSLV SXSXM SYSYR SZSWZ TCTCA TDTCD TFATF TGTGO THTHA TJTJK TKTKL
TLTLS TMTKM TNTUN TOTON TRTUR TTTTO TVTUV TWTWN TZTZA UAUKR UGUGA UMUMI USUSA UYURY UZUZB VAVAT VCVCT VEVEN VGVGB VIVIR
VNVNM VUVUT WFWLF WSWSM YEYEM YTMYT ZAZAF ZMZMB ZWZWE`

/** Every alpha-2 code. */
export const COUNTRY_CODES: ReadonlyArray<string> = CODES.trim()
  .split(/\s+/)
  .map((pair) => pair.slice(0, 2))

/**
 * Other names in use, beside those of CLDR. Alpha-2 codes are left out: in a text "CA" is California, and "DE" may be
 * Delaware.
 */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  US: "us, u s, u s a, america, united states of america, the united states, eeuu, eua, vereinigte staaten von amerika, etats unis d amerique, estados unidos de america, estados unidos da america, stati uniti d america, verenigde staten van amerika, e u a, vsa",
  GB: "uk, u k, great britain, britain, united kingdom of great britain and northern ireland, england, scotland, wales, northern ireland, grossbritannien, grande bretagne, gran bretana, gran bretagna, gra bretanha, groot brittannie, wielka brytania, storbritannien, inglaterra, angleterre, inghilterra, schottland, ecosse, escocia, scozia, nordirland, n ireland",
  AE: "uae, u a e, emirates, vae, eau",
  DE: "brd, federal republic of germany, bundesrepublik deutschland",
  NL: "holland, the netherlands, holanda, hollande, olanda, holandia",
  CZ: "czech republic, ceska republika, tschechische republik, republica checa, republique tcheque, repubblica ceca, tsjechische republiek",
  TR: "turkey, turkiye",
  KR: "korea, republic of korea, korea republic of, korea south, s korea",
  KP: "korea north, democratic people s republic of korea, dprk",
  RU: "russian federation, rossiyskaya federatsiya, российская федерация, russische foderation, federation de russie, federacion rusa, рф",
  BY: "weissrussland, bielorussie, bielorrusia, bielorussia, wit rusland, belorussia, byelorussia",
  CH: "swiss confederation, schweizerische eidgenossenschaft, confederation suisse, confoederatio helvetica",
  GR: "hellas, hellenic republic",
  IE: "eire, republic of ireland",
  SK: "slovak republic, slovenska republika",
  VN: "viet nam",
  IR: "iran islamic republic of, islamic republic of iran, persia",
  SY: "syrian arab republic",
  LA: "lao people s democratic republic, lao pdr",
  MD: "moldova republic of, republic of moldova, moldawien, moldavia, moldavie",
  TZ: "tanzania united republic of, united republic of tanzania",
  VE: "venezuela bolivarian republic of, bolivarian republic of venezuela",
  BO: "bolivia plurinational state of, plurinational state of bolivia",
  CI: "ivory coast, cote d ivoire, elfenbeinkuste",
  CD: "democratic republic of the congo, dr congo, congo democratic republic of the, drc, the democratic republic of the congo",
  CG: "republic of the congo, congo",
  CN: "prc, people s republic of china, peoples republic of china, volksrepublik china, mainland china, pr china, p r china",
  HK: "hong kong, hong kong sar, hong kong china, hongkong",
  MO: "macau, macao",
  TW: "taiwan province of china, roc, republic of china, chinese taipei",
  PS: "palestine, state of palestine, palestinian territory, occupied palestinian territory, palestinian territory occupied",
  MM: "burma, myanmar, birma, birmanie, birmania",
  MK: "macedonia, mazedonien, macedoine, fyrom, the former yugoslav republic of macedonia, former yugoslav republic of macedonia",
  SA: "ksa, kingdom of saudi arabia",
  ZA: "rsa, republic of south africa",
  SZ: "swaziland",
  CV: "cape verde",
  BN: "brunei darussalam",
  TL: "east timor",
  FM: "federated states of micronesia",
  FK: "falkland islands malvinas",
  BA: "bosnia, bosnia herzegovina",
  VI: "virgin islands u s, us virgin islands, virgin islands of the united states",
  VG: "virgin islands british",
  LY: "libyan arab jamahiriya",
  MX: "mejico",
  NZ: "aotearoa",
  VA: "vatican, holy see, vatican city state, holy see vatican city state"
}

/** Languages whose names of countries are read, in order: of a name that means several countries, the first counts. */
const LANGUAGES =
  "de fr es it nl pt pl sv da nb fi cs ja ru tr zh zh-Hant ko hu ro el uk sk sl hr bg lt lv et he ar hi id vi th ca sr kk lb af ga cy be gl eu mt".split(
    " "
  )

/** Letters that no decomposition brings to their plain form. */
const LETTERS: Readonly<Record<string, string>> = { ß: "ss", ø: "o", ł: "l", đ: "d", ð: "d", æ: "ae", œ: "oe", ı: "i" }

const keyOf = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[ßøłđðæœı]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/&/g, " and ")
    .replace(/(?<!\p{L})(?:saint|sankt|sainte)(?!\p{L})/gu, "st")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .replace(/(?<= )and the (?=\p{L})/gu, "and ")
    .trim()

/** `Österreich` is also written `Oesterreich`. */
const withoutUmlauts = (text: string): string =>
  text.toLowerCase().replace(/[äöü]/g, (letter) => ({ ä: "ae", ö: "oe", ü: "ue" })[letter] ?? letter)

/** What may stand before a country's name: an article, or what sort of state it is. */
const BEFORE =
  /^(?:(?:the|la|le|les|l|el|los|las|il|gli|der|die|das|den|os) )?(?:(?:(?:federal |federative |islamic |people s )?republic|kingdom|commonwealth|grand duchy|principality|sultanate|state) of (?:the )?|(?:bundes|volks)?republik |republique (?:de |d |du )?|republica (?:de |do |da |del )?|repubblica (?:di |del )?|konigreich |royaume de |reino de |reino do )?/

/** `Micronesia, Federated States of`, `Bahamas, The`, `Moldova (the Republic of)`: ISO's and lists' order, undone. */
const INVERTED = /^([^,(]+)(?:, ?([^,()]+)|\(([^()]+)\))$/u

const inOrder = (name: string): ReadonlyArray<string> => {
  const [, first = "", comma, bracket] = INVERTED.exec(name) ?? []
  const last = comma ?? bracket
  if (last === undefined) return []
  // Behind a comma may stand another place: "Hong Kong, China". What kind of state it is, may go.
  return /\b(?:of|of the|the)$/i.test(last.trim()) ||
    /^(?:the )?\p{L}+ republic$/iu.test(last.trim()) ||
    bracket !== undefined
    ? [`${last} ${first}`, first]
    : [`${last} ${first}`]
}

interface Atlas {
  readonly byCode: ReadonlyMap<string, Country>
  readonly byName: ReadonlyMap<string, Country>
}

/** The names of a country in a language: in full and short. Codes are no names. */
const namesIn = (language: string): ((code: string) => ReadonlyArray<string>) => {
  const full = new Intl.DisplayNames([language], { type: "region", fallback: "none" })
  const short = new Intl.DisplayNames([language], { type: "region", fallback: "none", style: "short" })
  return (code) =>
    [full.of(code), short.of(code)].filter(
      (name) => name !== undefined && !/^[A-Za-z]{1,2}$/.test(name)
    ) as Array<string>
}

/** The language that most people of a country speak, with its own name for the country. */
const ownLanguage = (code: string): string => new Intl.Locale(`und-${code}`).maximize().language

const buildAtlas = (): Atlas => {
  const names = new Intl.DisplayNames(["en"], { type: "region" })
  const byCode = new Map<string, Country>()
  const byName = new Map<string, Country>()
  const countries = CODES.trim()
    .split(/\s+/)
    .map((pair): Country => {
      const code = pair.slice(0, 2)
      return { code, code3: pair.slice(2), name: names.of(code) ?? code }
    })
  const add = (name: string, country: Country) => {
    for (const key of [keyOf(name), keyOf(withoutUmlauts(name))]) {
      if (key.length > 1 && !byName.has(key)) byName.set(key, country)
    }
  }
  for (const country of countries) {
    byCode.set(country.code, country)
    byCode.set(country.code3, country)
    add(country.name, country)
  }
  for (const [code, others] of Object.entries(OTHER_NAMES)) {
    const country = byCode.get(code)
    if (country !== undefined) for (const name of others.split(", ")) byName.set(name, country)
  }
  for (const country of countries)
    for (const name of namesIn(ownLanguage(country.code))(country.code)) add(name, country)
  for (const language of LANGUAGES) {
    const named = namesIn(language)
    for (const country of countries) for (const name of named(country.code)) add(name, country)
  }
  return { byCode, byName }
}

let atlas: Atlas | undefined

const atlasOf = (): Atlas => (atlas ??= buildAtlas())

const byKey = (key: string): Country | null => {
  const { byName } = atlasOf()
  return byName.get(key) ?? byName.get(key.replace(BEFORE, "")) ?? null
}

/** No country has a longer name. */
const NAME_CHARS_MAX = 200

/** The country with this name, in English, its own or another language, or with this alpha-3 code in capitals. */
export const countryNamed = (text: string): Country | null => {
  const name = text.trim()
  if (name.length > NAME_CHARS_MAX) return null
  const named = byKey(keyOf(name))
  if (named !== null) return named
  for (const other of inOrder(name)) {
    const found = byKey(keyOf(other))
    if (found !== null) return found
  }
  return /^[A-Z]{3}$/.test(name) ? (atlasOf().byCode.get(name) ?? null) : null
}

/** The country of an alpha-2 or alpha-3 code, in any case. */
export const countryOfCode = (code: string): Country | null => atlasOf().byCode.get(code.trim().toUpperCase()) ?? null

/** `Germany (DE)`, `DE - Germany`, `Germany, DE`: its code beside a name. */
const WITH_CODE = /^(.*?)\s*[([](\p{L}{2,3})[)\]]$/u
const CODE_BESIDE = /^(?:([A-Za-z]{2,3})\s*[-–—:|,/]\s*(\S.*)|(.*\S)\s*[-–—:|,/]\s*([A-Za-z]{2,3}))$/u

const CODE = /^[A-Za-z]{2}$/

/**
 * The country in a record's field, by name or code. Two plain letters are a code first: without its marks the Vietnamese
 * name of Austria, `Áo`, would be that of Angola.
 */
export const readCountry = (text: string | null): Country | null => {
  if (text === null) return null
  const coded = CODE.test(text.trim()) ? countryOfCode(text) : null
  const found = coded ?? countryNamed(text) ?? countryOfCode(text)
  if (found !== null) return found
  if (text.length > NAME_CHARS_MAX) return null
  const [, name = "", code = ""] = WITH_CODE.exec(text.trim()) ?? []
  if (name !== "") return countryNamed(name) ?? countryOfCode(code)
  const [, before, behind, ahead, after] = CODE_BESIDE.exec(text.trim()) ?? []
  const named = countryNamed(behind ?? ahead ?? "")
  // A state may have the code too: both must agree.
  return named !== null && countryOfCode(before ?? after ?? "") === named ? named : null
}
