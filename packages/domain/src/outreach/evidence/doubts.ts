/**
 * Words that deny or doubt what follows them, in their normal form (`wordsOf`). Those that mean something harmless in another
 * language are not among them: the Italian "mai" is a German month, and the German "plant" an English factory.
 */
const DOUBTS: ReadonlySet<string> = new Set(
  [
    "not never no neither nor without cannot denied denies deny denying refuted refutes rumored rumoured rumors rumours",
    "alleged allegedly plans planned planning hopes hoping considers considering might would failed fails cancelled canceled",
    "postponed former formerly unlike instead if unless",
    "nicht nie niemals kein keine keinen keinem keiner ohne dementiert dementierte geplant geplante geplanten erwagt",
    "angeblich geruchte ehemalige ehemaliger ehemals statt",
    "pas jamais sans dement dementi envisage prevoit rumeurs ancien ancienne",
    "nunca sin desmiente desmintio planea preve rumores niega nego",
    "senza smentisce smentito prevede presunta presunto",
    "nao nunca sem nega negou planeja pretende",
    "niet geen nooit zonder ontkent overweegt vermeende voormalig",
    "inte ingen inget aldrig utan ikke aldri planerar planlegger planlaegger",
    "nigdy bez zaprzecza planuje"
  ].flatMap((line) => line.split(" "))
)

/** Contractions end in "nt": didnt, isnt, wont, havent. */
const CONTRACTED = /^(?:did|do|does|is|are|was|were|has|have|had|wo|would|could|should|ca)nt$/

/** Words that deny the whole clause in which they stand: "a mobile version is not planned". */
const DENIALS: ReadonlySet<string> = new Set(
  "not never nicht nie niemals pas jamais niet nooit inte ikke aldrig aldri nao nigdy".split(" ")
)

/** Whether a word denies its whole clause, wherever in it it stands. */
export const isDenial = (word: string): boolean => DENIALS.has(word) || CONTRACTED.test(word)

/** Whether a word denies or doubts what follows it. */
export const isDoubt = (word: string): boolean => DOUBTS.has(word) || CONTRACTED.test(word)
