/** What spreadsheets write where a formula failed, or isn't computed yet. */

/** "Not available" has a sign at its end in some languages only. */
const NOT_AVAILABLE =
  "N\\/?[AVDB]|I\\/T|Н\\/Д|Δ\\/Υ|YOK|HIÁNYZIK|NENÍ_K_DISPOZICI|NEDOSTUPNÝ|NEDOSTUPNÉ|N\\/DISP|BRAK|ERROR|GETTING_DATA|LOADING"

/** Errors without their sign, as some programs copy them. */
const WITHOUT_SIGN =
  "VALUE|WERT|VALEUR|VALOR|VALORE|WAARDE|REF|BEZUG|RIF|VERW|NAME|NOM|NOMBRE|NOME|NAAM|NULL|NUL|NULLO|LEEG|NUM|ZAHL|NÚM|GETAL|DIV\\/0|SPILL|CALC|FIELD"

/** In capitals with a sign, in any language: `#REF!`, `#NAME?`, `#¡VALOR!`. LibreOffice's `Err:502`. */
const FAILED = new RegExp(
  `^(?:#[¡¿]?[\\p{Lu}\\d_/ ]{2,20}[!?]|#(?:${NOT_AVAILABLE}|${WITHOUT_SIGN})[!?]?|Err:\\d{3}|Loading(?:\\.{3}|…))$`,
  "u"
)

/** Whether the cell holds nothing but that. */
export const isFailedFormula = (value: string): boolean => FAILED.test(value) || /^#(?:[a-z/]+[!?]|n\/a)$/.test(value)
