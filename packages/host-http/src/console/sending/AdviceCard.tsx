import { mayLoosen } from "../control/acting.js"
import { Form } from "../Parts.js"
import { useViewer } from "../Viewer.js"
import { HEALTH } from "../sendingPaths.js"
import { type Advice, BY, subjectWords } from "./healthWords.js"

/** What a page knows of where advice is followed. */
export interface ActingPlaces {
  /** The pages of domains that the owner brought, by name. */
  readonly domains: ReadonlyMap<string, string>
  /** The own mailboxes that are connected, by address. */
  readonly mailboxes: ReadonlyMap<string, string>
  /** Whether this service looks after domains of the workspace. */
  readonly hasDomains: boolean
}

type Act = { readonly path: string; readonly text: string; readonly isButton?: true }

const ofDomain = (subject: string, { domains, hasDomains }: ActingPlaces): Act | null => {
  const path = domains.get(subject)
  if (path !== undefined) return { path, text: "Show its records; an owner can have them set" }
  return hasDomains ? { path: "/console/domains", text: "Add the domain, to have its records set" } : null
}

/** Where an owner follows the advice. What loosens is a button, which asks for a fresh sign-in; never a call. */
const actOf = ({ code, subject }: Advice, places: ActingPlaces): Act | null => {
  switch (code) {
    case "publish_spf":
    case "publish_dkim":
    case "publish_dmarc":
    case "publish_mx":
    case "ask_for_delisting":
      return ofDomain(subject, places)
    case "reconnect_mailbox":
      return places.mailboxes.has(subject) ? { path: "/console/mailboxes/new", text: "Enter its access again" } : null
    case "top_up":
      return { path: "/console/credits", text: "Add credits" }
    case "resume_mailbox": {
      const mailboxId = places.mailboxes.get(subject)
      return mailboxId === undefined
        ? null
        : { path: `/console/mailboxes/${mailboxId}/resume`, text: "Resume", isButton: true }
    }
    case "mend_what_was_measured":
    case "verify_addresses":
    case "write_less_to_receiver":
      return null
  }
}

/** A piece of advice: what to do, what it would change, and who can do it. */
export const AdviceCard = (props: { readonly of: Advice; readonly places: ActingPlaces }) => {
  const { by, effect, text } = props.of
  const subject = subjectWords(props.of.subject)
  const act = mayLoosen(useViewer()) ? actOf(props.of, props.places) : null
  return (
    <section class="card">
      <h3>{subject}</h3>
      <p>{text}</p>
      <p class="soft">
        Effect: {effect} {BY[by]} can do it.
      </p>
      {act === null ? null : act.isButton === true ? (
        <Form action={act.path} button={act.text} about={subject}>
          <input type="hidden" name="back" value={HEALTH} />
        </Form>
      ) : (
        <a href={act.path}>
          {act.text}
          <span class="unseen">: {subject}</span>
        </a>
      )}
    </section>
  )
}
