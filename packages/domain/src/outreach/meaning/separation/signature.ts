/** Lines that begin what a mail program or a habit puts below a text: a name, a position, a company. */

const LINE_CHARS_MAX = 400

/** Signature separators (RFC 3676 §4.3), and how people draw them. */
const DELIMITER = /^\s*(?:--|—|––|__|-- ?\*?|={2,3}|~{2,})\s*$/

/** What programs append. A sentence that goes on is the writer's own. */
const SENT_FROM =
  /^\s*[*_]?(?:(?:sent|mailed|written) (?:from|via|with|by|using) (?:my |the |a )?\S{1,40}(?: \S{1,30}){0,5}|get (?:outlook|bluemail) for \S{1,20}(?: .{1,60})?|von meinem .{2,40} gesendet|gesendet (?:von|mit|aus|über) \S{1,40}(?: \S{1,30}){0,5}|diese nachricht wurde von meinem .{2,80}|holen sie sich outlook .{2,60}|outlook für .{2,40} (?:beziehen|herunterladen)|envoyé (?:de|depuis|avec|à partir d[e']) ?\S{1,40}(?: \S{1,30}){0,5}|obtenir outlook .{2,60}|télécharge[rz] outlook .{2,60}|enviado (?:desde|do|con|de|a partir do|através do) \S{1,40}(?: \S{1,30}){0,5}|obtener outlook .{2,60}|obter o outlook .{2,60}|inviato da(?:l|lla)?(?: mio)? \S{1,40}(?: \S{1,30}){0,5}|scarica outlook .{2,60}|ottieni outlook .{2,60}|verzonden (?:vanaf|met|vanuit|via) \S{1,40}(?: \S{1,30}){0,5}|(?:outlook voor|download outlook) .{2,60}|skickat (?:från|via|med) \S{1,40}(?: \S{1,30}){0,5}|hämta outlook .{2,60}|sendt fra \S{1,40}(?: \S{1,30}){0,5}|(?:hent|få) outlook .{2,60}|lähetetty .{2,40}sta|hanki outlook .{2,60}|wysłane? (?:z|za pomocą|przez) \S{1,40}(?: \S{1,30}){0,5}|pobierz outlook .{2,60}|odesláno z(?:e)? \S{1,40}(?: \S{1,30}){0,5}|отправлено (?:с|из|через) \S{1,40}(?: \S{1,30}){0,5}|надіслано (?:з|із) \S{1,40}(?: \S{1,30}){0,5}|.{2,30}(?:’|')?(?:mdan|den|dan) gönderildi|iphone(?:から送信| 발송|发送)|从我的 ?iphone发送|發自我的 ?iphone|发自我的.{1,20}|나의 iphone에서 보냄)\s*[.*_]?$/iu

const CLOSING =
  /^\s*(?:(?:best|kind(?:est)?|warm(?:est)?|with best|with kind|many thanks and(?: best| kind)?) (?:regards|wishes)|(?:best|many|with) regards|regards|sincerely(?: yours)?|yours (?:sincerely|truly|faithfully)|respectfully(?: yours)?|cheers|all the best|(?:mit )?(?:freundlichen?|besten?|herzlichen?|liebe[nr]?|viele[nr]?|schöne[nr]?|sonnige[nr]?) (?:grüße?n?|grüsse?n?|gruß|gruss)|hochachtungsvoll|mfg|lg|vg|(?:bien )?(?:très )?cordialement|(?:bien )?à (?:vous|toi)|(?:sincères )?salutations(?: distinguées)?|(?:un )?(?:cordial(?:es)? )?saludos?(?: cordial(?:es)?)?|atentamente|atte\.?|atenciosamente|att\.?|(?:melhores )?cumprimentos|cordiali saluti|cordialmente|distinti saluti|saluti|met (?:vriendelijke|hartelijke) groet(?:en)?|(?:vriendelijke )?groet(?:en|jes)?|mvg|(?:vänliga|bästa|med vänliga) hälsningar|hälsningar|vänligen|mvh|(?:med )?(?:venlig|vennlig|bedste|beste) hilsen|vh|ystävällisin terveisin|terveisin|t\.|pozdrawiam(?: serdecznie)?|z poważaniem|s (?:přátelským )?pozdravem|с уважением|з повагою|üdvözlettel|cu stima|cu respect|saygılarımla|iyi çalışmalar|με εκτίμηση|com os melhores cumprimentos|abraços?)\s*[,.!]?\s*$/iu

/** A postscript is the writer's own again. */
const POSTSCRIPT = /^\s*(?:p\.? ?p?\.? ?s\b\.?|n\.? ?b\b\.?|з\. ?ы|п\. ?с)[\s:.,–—-]/iu

const matches = (pattern: RegExp, line: string): boolean => line.length <= LINE_CHARS_MAX && pattern.test(line)

export const isDelimiter = (line: string): boolean => matches(DELIMITER, line)
export const isSentFrom = (line: string): boolean => {
  if (line.length > LINE_CHARS_MAX) return false
  const said = line.replace(/[<[(]?https?:\/\/[^\s>\])]{1,300}[>\])]?/g, "").trimEnd()
  return said.length <= 120 && SENT_FROM.test(said)
}

/** Words behind the colon of such a line, where nothing stands above it, are its writer's: "Sent from my phone: please stop". */
export const goesOn = (line: string): boolean => /:\s+\p{L}[^:]*\p{L}{2}/u.test(line.replace(/https?:\S*/g, ""))
export const isClosing = (line: string): boolean => matches(CLOSING, line)
export const isPostscript = (line: string): boolean => matches(POSTSCRIPT, line)
