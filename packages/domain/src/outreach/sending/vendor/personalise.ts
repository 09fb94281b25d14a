import type { CampaignLead } from "../../campaigns/CampaignStore.js"
import type { SequenceStep } from "../../../kernel/sequences/Sequence.js"
import { filledIn, oneLine, piecesOf, type TemplatePiece, type Variable } from "../../../kernel/sequences/template.js"
import type { MessagePart, VendorPerson, VendorStep } from "../../../sources/ports/VendorScheduled.js"
import { FOOTER_WORDS } from "../../../kernel/words/languages.js"
import type { FooterWords } from "../../../kernel/words/notice.js"
import { footerStart, noticeText } from "../compose.js"

/**
 * What ends a message is each person's own: the word for the way out, in their language, and behind it the link; in the
 * first message the link with their notice. None of them is ever empty: what vendors do then is not known.
 */
const WAY_OUT = "ob_way_out"
const UNSUBSCRIBE = "ob_unsubscribe"
const FIRST_END = "ob_first_end"

type Place = "subject" | "body"

const expressionOf = ({ after, before, fallback, name }: Variable): string =>
  JSON.stringify([name, fallback, before, after])

/** A sequence's variables under names of ours: a vendor's variables have neither our names nor fallbacks. */
interface Named {
  readonly name: string
  readonly variable: Variable
}

const variablesIn = (sequence: ReadonlyArray<SequenceStep>, place: Place): ReadonlyMap<string, Named> => {
  const named = new Map<string, Named>()
  for (const step of sequence) {
    for (const piece of piecesOf((place === "subject" ? step.subject : step.body) ?? "")) {
      if (typeof piece === "string" || named.has(expressionOf(piece))) continue
      const name = `ob_${place === "subject" ? "s" : "b"}${named.size + 1}`
      named.set(expressionOf(piece), { name, variable: piece })
    }
  }
  return named
}

const partOf =
  (named: ReadonlyMap<string, Named>) =>
  (piece: TemplatePiece): MessagePart =>
    typeof piece === "string" ? piece : { variable: named.get(expressionOf(piece))?.name ?? "" }

/** The steps for the vendor: a person's values become named variables, everything else stays. */
export const stepsOf = (sequence: ReadonlyArray<SequenceStep>, postalAddress: string): ReadonlyArray<VendorStep> => {
  const subjects = variablesIn(sequence, "subject")
  const bodies = variablesIn(sequence, "body")
  return sequence.map((step, index) => ({
    subject: step.subject === null ? null : piecesOf(step.subject).map(partOf(subjects)),
    body: [
      ...piecesOf(step.body).map(partOf(bodies)),
      footerStart(postalAddress),
      { variable: WAY_OUT },
      ": ",
      { variable: index === 0 ? FIRST_END : UNSUBSCRIBE },
      "\n"
    ],
    waitDays: step.waitDays
  }))
}

const valuesOf = (named: ReadonlyMap<string, Named>, lead: CampaignLead): Record<string, string> =>
  Object.fromEntries([...named.values()].map(({ name, variable }) => [name, filledIn(variable, lead)]))

/** A person with values for all variables of the steps. `footer`: of their first message. */
export const personOf = (
  lead: CampaignLead,
  sequence: ReadonlyArray<SequenceStep>,
  { footer, unsubscribeUrl }: { readonly footer: FooterWords; readonly unsubscribeUrl: string }
): VendorPerson => ({
  campaignLeadId: lead.campaignLeadId,
  email: lead.email,
  firstName: lead.firstName,
  lastName: lead.lastName,
  companyName: lead.companyName,
  subjectValues: Object.fromEntries(
    Object.entries(valuesOf(variablesIn(sequence, "subject"), lead)).map(([name, value]) => [name, oneLine(value)])
  ),
  bodyValues: {
    ...valuesOf(variablesIn(sequence, "body"), lead),
    [WAY_OUT]: FOOTER_WORDS[footer.language].unsubscribe,
    [UNSUBSCRIBE]: unsubscribeUrl,
    [FIRST_END]: `${unsubscribeUrl}\n${noticeText(footer, unsubscribeUrl)}`.trimEnd()
  }
})
