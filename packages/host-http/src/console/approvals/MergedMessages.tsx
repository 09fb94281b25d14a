import type { LaunchSnapshot } from "@outbound/domain/calls/approvals/Snapshot.js"
import type { Recipient, SequenceStep } from "@outbound/domain/kernel/sequences/Sequence.js"
import { assignedVariants, variantName, wordedBy } from "@outbound/domain/kernel/sequences/variants.js"
import { ownValue } from "@outbound/domain/kernel/sequences/template.js"
import { footer, mergedMessage } from "@outbound/domain/outreach/sending/compose.js"
import { footerWordsOf, type LeadWords, PLAIN_FOOTER } from "@outbound/domain/kernel/words/notice.js"
import { count } from "../../web/Words.js"
import { Marked } from "./Marked.js"

type Steps = (typeof LaunchSnapshot.Type)["steps"]

export const sequenceOf = (steps: Steps): ReadonlyArray<SequenceStep> =>
  steps.map(({ body, other_variants, subject, wait_days }) => ({
    subject,
    body,
    waitDays: wait_days,
    ...(other_variants === undefined ? {} : { otherVariants: other_variants })
  }))

/** Stands for the link of a recipient's own that ends each message. */
export const OWN_LINK = "(the recipient’s own link)"

/** A recipient's messages exactly as they will leave, made by what composes the mail. */
export const MergedMessages = (props: {
  readonly campaignId: string
  readonly steps: Steps
  readonly postalAddress: string
  readonly recipient: Recipient & { readonly addressHash: string }
  /** How their messages end. */
  readonly words: LeadWords | null
  /** The words by country that the request shows. */
  readonly texts: Readonly<Record<string, string>>
  readonly heading: "h2" | "h3"
}) => {
  const { heading: Heading, recipient, steps } = props
  const given = sequenceOf(steps)
  const variants = assignedVariants({ campaignId: props.campaignId, sequence: given }, recipient.addressHash)
  const sequence = wordedBy(given, variants)
  return (
    <>
      {sequence.map(({ waitDays }, index) => {
        const { body, subject, toName } = mergedMessage(sequence, index, recipient)
        const variant = variants?.[index] ?? null
        return (
          <article class="card step" key={index}>
            <header>
              <Heading class="subject">
                <Marked text={subject} />
              </Heading>
              <span class="soft">
                To {toName === null ? null : <Marked text={`${toName} `} />}
                {"<"}
                <Marked text={recipient.email} />
                {">"} · {index === 0 ? "first message" : `${count(waitDays, "day")} later, unless they reply`}
                {variant === null ? "" : ` · variant ${variantName(variant)}`}
              </span>
            </header>
            <div class="mail">
              {body.map(({ text, variable }, at) =>
                variable === null ? (
                  <Marked text={text} key={at} />
                ) : (
                  <span
                    class={ownValue(recipient, variable.name) === null ? "merged fallback" : "merged"}
                    title={`{{${variable.name}}}`}
                    key={at}
                  >
                    <Marked text={text} />
                  </span>
                )
              )}
              <Marked
                text={footer(
                  props.postalAddress,
                  OWN_LINK,
                  footerWordsOf(props.words, index, props.texts) ?? PLAIN_FOOTER
                )}
              />
            </div>
          </article>
        )
      })}
    </>
  )
}

/** What the colours of merged text mean. */
export const MergedLegend = () => (
  <p class="soft">
    <span class="merged">Marked text</span> is a recipient’s own value, <span class="merged fallback">dotted text</span>{" "}
    the template’s fallback. Each message ends with the postal address and an unsubscribe link.
  </p>
)
