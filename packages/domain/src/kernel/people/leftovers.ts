import { foreignTagsIn } from "../sequences/foreignTags.js"

/**
 * What another program left in a value instead of filling it in. Values that are nothing else never become values
 * (`givenValues.ts`); this finds what stands within others: "Hello {{first_name}}", "the null team", "R&amp;D", "BjÃ¶rn".
 */

/** Tags of ours: a value is text, so that nobody fills them in. */
const OWN_TAG = /\{\{[^{}]{0,100}\}\}/u

/** An HTML entity that was encoded twice: once is read when a recipient joins. */
const ENTITY = /&(?:[a-z][a-z\d]{1,30}|#\d{1,7}|#x[\da-f]{1,6});/iu

/** What spreadsheets and programs write for nothing, as a word of its own. Names are written otherwise: Null, Nan. */
const NOTHING =
  /(?<![\p{L}\p{N}])(?:#N\/A|#REF!|#VALUE!|#NAME\?|#DIV\/0!|#NULL!|N\/A|n\/a|null|NULL|undefined|NaN|\[object Object\]|\(null\)|\(none\)|<none>|TBD|lorem ipsum)(?![\p{L}\p{N}])/u

/** A character that could not be read, and UTF-8 that was read as windows-1252, or in a console: "BjÃ¶rn", "Jos├®". */
const MISREAD = /\uFFFD|[\p{L}\p{N}][\u2500-\u259F]|Ã[\u0080-¿€‚-™]|Â[\u00A0-¿]|â€[\u0080-¿€‚-™]/u

/** Markup that was left in a text. */
const MARKUP = /<\/?(?:a|b|i|u|p|br|div|em|font|li|span|strong|td|tr)(?:\s[^<>]{0,200})?\/?>/iu

/** The first leftover in a value, as it stands there; null: there is none. */
export const leftoverIn = (value: string): string | null =>
  OWN_TAG.exec(value)?.[0] ??
  foreignTagsIn(value)[0]?.tag ??
  NOTHING.exec(value)?.[0] ??
  ENTITY.exec(value)?.[0] ??
  MISREAD.exec(value)?.[0] ??
  MARKUP.exec(value)?.[0] ??
  null
