import type { DomainView } from "@outbound/domain/control/domains/Domains.js"
import { ZONE_VENDORS } from "@outbound/domain/outreach/domains/DnsZones.js"
import { isGreen } from "@outbound/domain/outreach/domains/planRecords.js"
import { SendingDomainMachine } from "@outbound/domain/outreach/domains/SendingDomainMachine.js"
import type { SendingDomain } from "@outbound/domain/outreach/domains/SendingDomainStore.js"
import type { Reply } from "../../http/Reply.js"
import { Moment } from "../../web/Words.js"
import { mayLoosen, MayNote } from "../control/acting.js"
import { Field, Form, type Problem, Select } from "../Fields.js"
import { Note, Section, StateBadge } from "../Parts.js"
import type { Viewer } from "../Shell.js"
import { DOMAINS } from "./DomainsPage.js"
import { Reputation } from "./Reputation.js"
import { RecordCard, STATE_WORDS, VENDOR_NAMES } from "./DomainWords.js"
import { saidOf, titledPage } from "../titledPage.js"

const DONE: Readonly<Record<string, string>> = {
  added: "The domain is added. Set its records yourself, or give access to its DNS host and approve them here.",
  checking: "The checks run until all are green. Load the page again to see how far they are.",
  access: "The access is saved.",
  removed: "The access is removed.",
  approved: "The records are being set. Then the checks run until all are green."
}

/** One button that posts. */
const Access = (props: { readonly of: SendingDomain }) => {
  const { domainId, zone } = props.of
  const path = `${DOMAINS}/${domainId}`
  return (
    <Section id="access" title="Set by us">
      {zone === null ? (
        <p class="soft">
          If its DNS is at Cloudflare or Amazon Route 53, we can set the missing records. You see each change and
          approve it first.
        </p>
      ) : (
        <div class="card">
          <p>
            Access to {VENDOR_NAMES[zone.vendor]}, ending in <code>{zone.last4}</code>, added by {zone.addedBy}.
          </p>
          <div class="actions">
            {SendingDomainMachine.is.applying(props.of.state) ? null : (
              <a class="button" href={`${path}/changes`}>
                Show what would be changed
              </a>
            )}
            <Form action={`${path}/access/remove`} button="Remove access" tone="stop" />
          </div>
        </div>
      )}
      <Form class="card" action={`${path}/access`} button="Save access">
        <h3>{zone === null ? "Give access" : "Replace the access"}</h3>
        <Select
          label="DNS host"
          name="vendor"
          value={zone?.vendor ?? "cloudflare"}
          options={ZONE_VENDORS.map((vendor) => [vendor, VENDOR_NAMES[vendor]])}
        />
        <Field
          label="Credential"
          name="secret"
          isSecret
          required
          maxLength={400}
          hint="Cloudflare: an API token with Zone Read and DNS Edit for this zone. Route 53: access key id:secret access key. Stored encrypted and never shown again."
        />
      </Form>
    </Section>
  )
}

/** A domain's records, beside what the name servers say now. */
export const domainPage = (options: {
  readonly viewer: Viewer
  readonly of: DomainView
  readonly done: string | null
  readonly problem?: Problem | undefined
}): Reply => {
  const { problem, viewer } = options
  const { domain, plan, reputation } = options.of
  const path = `${DOMAINS}/${domain.domainId}` as const
  const isOwner = mayLoosen(viewer)
  return titledPage(
    {
      said: saidOf(DONE, options.done),
      problem,
      title: domain.domain,
      viewer,
      at: "sending",
      isNarrow: true,
      lead: (
        <>
          <StateBadge of={STATE_WORDS[domain.state]} /> since <Moment atMillis={domain.sinceMillis} />.{" "}
          <a href={DOMAINS}>All domains</a>
        </>
      )
    },
    <>
      {domain.stopped === null ? null : <Note tone="bad">{domain.stopped}</Note>}
      <Section id="records" title="Records">
        <p class="soft">
          {isGreen(plan)
            ? "The name servers answer with every record that the domain needs."
            : "Copy what is missing to where the domain’s DNS is kept. This is what the name servers answer now."}
        </p>
        <div class="stack">
          {plan.map((of) => (
            <RecordCard key={`${of.name} ${of.type}`} of={of} />
          ))}
        </div>
        <div class="actions">
          {SendingDomainMachine.is.applying(domain.state) ? null : (
            <Form action={`${path}/check`} button="Check until all are green" />
          )}
          {isOwner ? <Form action={`${path}/remove`} button="Remove domain" tone="stop" /> : null}
        </div>
      </Section>
      <Reputation of={reputation} />
      <MayNote path={path} loosening="give access to DNS or approve records" />
      {isOwner ? <Access of={domain} /> : null}
    </>
  )
}
