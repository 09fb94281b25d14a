import { canonicalJson, type Json } from "@outbound/domain/kernel/canonical.js"
import type { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { hostsIn } from "@outbound/domain/kernel/text/hosts.js"
import { footerWordsOf, type LeadWords, PLAIN_FOOTER } from "@outbound/domain/kernel/words/notice.js"
import type { ApprovalSnapshot, LaunchSnapshot, WordsShown } from "@outbound/domain/calls/approvals/Snapshot.js"
import { addressHashOf } from "@outbound/domain/kernel/people/subjects.js"
import type { Recipient } from "@outbound/domain/kernel/sequences/Sequence.js"
import { textsOf } from "@outbound/domain/kernel/sequences/template.js"
import { shownSteps } from "@outbound/domain/outreach/launching/CampaignContext.js"
import { CampaignMachine } from "@outbound/domain/outreach/campaigns/CampaignMachine.js"
import type { Campaign } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { footer, mergedMessage } from "@outbound/domain/outreach/sending/compose.js"
import type { Reply } from "../../http/Reply.js"
import { Marked } from "../approvals/Marked.js"
import { MergedLegend, MergedMessages, OWN_LINK, sequenceOf } from "../approvals/MergedMessages.js"
import { Facts, Form, Note, Section } from "../Parts.js"
import { consolePage } from "../Shell.js"
import type { Viewer } from "../Viewer.js"
import { type Referral, ReferralWords, shownReferral } from "./ReferralsSection.js"

type Steps = (typeof LaunchSnapshot.Type)["steps"]

/** Everything that a press of the button lets out to the person. */
export interface Offer {
  readonly steps: Steps
  readonly mailboxes: ReadonlyArray<string>
  readonly postalAddress: string
  /** How their messages end, and the text that it names. */
  readonly words: LeadWords | null
  readonly texts: Readonly<Record<string, string>>
}

export const offerOf = (
  campaign: Campaign,
  mailboxes: ReadonlyArray<{ readonly address: string }>,
  postalAddress: string | null,
  said: Pick<Offer, "words" | "texts">
): Offer => ({
  steps: shownSteps(campaign),
  mailboxes: mailboxes.map(({ address }) => address),
  postalAddress: postalAddress ?? "",
  ...said
})

/** What the form binds: the person, the campaign, every text, and from where it comes. */
export const shownOffer = (crypto: Pick<Crypto["Service"], "sha256Hex">, referral: Referral, offer: Offer): string =>
  crypto.sha256Hex(
    canonicalJson([
      shownReferral(referral),
      offer.steps.map((step) => ({ ...step })) as unknown as Json,
      offer.mailboxes.toSorted(),
      offer.postalAddress,
      offer.words === null ? null : { ...offer.words },
      offer.texts
    ])
  )

/** How the messages of a request for one person end. */
const wordsOfOnly = (shown: WordsShown | undefined): Pick<Offer, "words" | "texts"> => {
  const [line] = shown?.countries ?? []
  if (shown === undefined || line === undefined) return { words: null, texts: {} }
  const [notice = null] = Object.keys(shown.texts)
  const isPlain = line.language === "en" && notice === null
  return {
    words: isPlain ? null : { language: line.language, notice, isLinked: shown.place === "link" },
    texts: shown.texts
  }
}

type AddLeadsSnapshot = Extract<ApprovalSnapshot, { readonly kind: "add_leads" }>

/** What a request to add people shows, as such an offer. */
const offerIn = (snapshot: AddLeadsSnapshot): Offer => ({
  steps: snapshot.steps,
  mailboxes: snapshot.mailboxes,
  postalAddress: snapshot.postal_address,
  ...wordsOfOnly(snapshot.words)
})

/** Whether a request adds this person alone, to this campaign, with what the page showed. */
export const asksFor = (
  crypto: Pick<Crypto["Service"], "sha256Hex">,
  snapshot: ApprovalSnapshot,
  referral: Referral,
  shown: string
): boolean =>
  snapshot.kind === "add_leads" &&
  snapshot.campaign_id === referral.campaignId &&
  snapshot.leads === 1 &&
  snapshot.recipients.every(({ email }) => email === referral.referredEmail) &&
  shownOffer(crypto, referral, offerIn(snapshot)) === shown

const hostsOf = ({ postalAddress, steps, texts, words }: Offer, recipient: Recipient): ReadonlyArray<string> => {
  const sequence = sequenceOf(steps)
  const merged = sequence.map((_, index) => {
    const { body, subject } = mergedMessage(sequence, index, recipient)
    return [subject, ...body.map(({ text }) => text)].join("")
  })
  return [
    ...new Set(
      [
        ...textsOf(sequence),
        ...merged,
        footer(postalAddress, OWN_LINK, footerWordsOf(words, 0, texts) ?? PLAIN_FOOTER)
      ].flatMap(hostsIn)
    )
  ]
}

/** The page on which a person decides: it shows every text that would leave. */
export const referralPage = (options: {
  readonly viewer: Viewer
  readonly crypto: Pick<Crypto["Service"], "mac" | "sha256Hex">
  readonly campaign: Campaign
  readonly referral: Referral
  readonly offer: Offer
}): Reply => {
  const { campaign, crypto, offer, referral, viewer } = options
  const { referredEmail, replyId } = referral
  const recipient = {
    email: referredEmail,
    firstName: null,
    lastName: null,
    companyName: null,
    custom: {},
    addressHash: addressHashOf(crypto, campaign.workspaceId, referredEmail)
  }
  const hosts = hostsOf(offer, recipient)
  return consolePage(
    { title: "Add a person whom a reply names", viewer, at: "replies", isNarrow: true },
    <>
      <p>
        <a href={`/console/replies/${replyId}`}>Back to the reply</a>
      </p>
      <h1>Add this person?</h1>
      <section class="card">
        <ReferralWords of={referral} />
        <Facts
          isInCard
          of={[
            [
              "From one of",
              <ul>
                {offer.mailboxes.map((mailbox) => (
                  <li key={mailbox}>
                    <Marked text={mailbox} />
                  </li>
                ))}
              </ul>
            ],
            [
              "Links and addresses to",
              hosts.length === 0 ? (
                "nothing but the unsubscribe link"
              ) : (
                <ul>
                  {hosts.map((host) => (
                    <li key={host}>
                      <strong>
                        <Marked text={host} />
                      </strong>
                    </li>
                  ))}
                </ul>
              )
            ]
          ]}
        />
      </section>
      {CampaignMachine.is.paused(campaign.state) ? (
        <Note>The campaign is paused. Adding somebody resumes it, for everybody in it.</Note>
      ) : null}
      <Section id="messages" title="What they would get">
        <MergedLegend />
        <MergedMessages
          campaignId={campaign.campaignId}
          steps={offer.steps}
          postalAddress={offer.postalAddress}
          recipient={recipient}
          words={offer.words}
          texts={offer.texts}
          heading="h3"
        />
      </Section>
      <Form action={`/console/replies/${replyId}/referral`}>
        <input type="hidden" name="shown" value={shownOffer(crypto, referral, offer)} />
        <button class="go" type="submit" name="do" value="approve">
          Add to the campaign
        </button>{" "}
        <button type="submit" name="do" value="decline">
          Don’t write to them
        </button>
      </Form>
    </>
  )
}
