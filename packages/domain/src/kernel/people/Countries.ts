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

/** Other names in use. Alpha-2 codes are left out: in a text "CA" is California, and "DE" may be Delaware. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  US: "us, u s, u s a, america, united states of america, the united states",
  GB: "uk, u k, great britain, britain, united kingdom of great britain and northern ireland, england, scotland, wales, northern ireland",
  AE: "uae, u a e, emirates",
  DE: "deutschland",
  NL: "holland, the netherlands",
  CZ: "czech republic",
  TR: "turkey, turkiye",
  KR: "korea, republic of korea, korea republic of, korea south",
  KP: "korea north, democratic people s republic of korea",
  RU: "russian federation",
  VN: "viet nam",
  IR: "iran islamic republic of",
  SY: "syrian arab republic",
  LA: "lao people s democratic republic",
  MD: "moldova republic of, republic of moldova",
  TZ: "tanzania united republic of, united republic of tanzania",
  VE: "venezuela bolivarian republic of",
  BO: "bolivia plurinational state of",
  CI: "ivory coast, cote d ivoire",
  CD: "democratic republic of the congo, dr congo, congo democratic republic of the",
  CG: "republic of the congo, congo",
  HK: "hong kong, hong kong sar",
  MO: "macau, macao",
  TW: "taiwan province of china",
  PS: "palestine, state of palestine, palestinian territory",
  MM: "burma, myanmar",
  MK: "macedonia",
  SZ: "swaziland",
  CV: "cape verde",
  BN: "brunei darussalam",
  VA: "vatican, holy see"
}

const keyOf = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/&/g, " and ")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

interface Atlas {
  readonly byCode: ReadonlyMap<string, Country>
  readonly byName: ReadonlyMap<string, Country>
}

const buildAtlas = (): Atlas => {
  const names = new Intl.DisplayNames(["en"], { type: "region" })
  const byCode = new Map<string, Country>()
  const byName = new Map<string, Country>()
  for (const pair of CODES.trim().split(/\s+/)) {
    const code = pair.slice(0, 2)
    const country: Country = { code, code3: pair.slice(2), name: names.of(code) ?? code }
    byCode.set(code, country)
    byCode.set(country.code3, country)
    byName.set(keyOf(country.name), country)
  }
  for (const [code, others] of Object.entries(OTHER_NAMES)) {
    const country = byCode.get(code)
    if (country !== undefined) for (const name of others.split(", ")) byName.set(name, country)
  }
  return { byCode, byName }
}

let atlas: Atlas | undefined

const atlasOf = (): Atlas => (atlas ??= buildAtlas())

/** The country with this English name, other common name, or alpha-3 code in capitals. */
export const countryNamed = (text: string): Country | null =>
  atlasOf().byName.get(keyOf(text)) ??
  (/^[A-Z]{3}$/.test(text.trim()) ? (atlasOf().byCode.get(text.trim()) ?? null) : null)

/** The country of an alpha-2 or alpha-3 code, in any case. */
export const countryOfCode = (code: string): Country | null => atlasOf().byCode.get(code.trim().toUpperCase()) ?? null

/** The country in a record's field, by name or code. */
export const readCountry = (text: string | null): Country | null =>
  text === null ? null : (countryNamed(text) ?? countryOfCode(text))
