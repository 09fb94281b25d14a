import type { DomainView, ZonePlan } from "@outbound/domain/control/domains/Domains.js"
import { ZONE_VENDORS } from "@outbound/domain/outreach/domains/DnsZones.js"
import { added, changesOf, isGreen, removed } from "@outbound/domain/outreach/domains/planRecords.js"
import { SendingDomainMachine } from "@outbound/domain/outreach/domains/SendingDomainMachine.js"
import type { SendingDomain } from "@outbound/domain/outreach/domains/SendingDomainStore.js"
import type { Reply } from "../../http/Reply.js"
import { count, Moment } from "../../web/Words.js"
import { mayLoosen, MayNote } from "../control/acting.js"
import { Field, Form, Note, type Problem, Section, Select, StateBadge } from "../Parts.js"
import { saidOf, titledPage } from "../Shell.js"
import type { Viewer } from "../Viewer.js"
import { DOMAINS, RecordCard, STATE_WORDS, Values, VENDOR_NAMES } from "./DomainsPage.js"
import { Reputation } from "./Reputation.js"

/** Exactly what would be changed in a zone, for an owner to approve. */
export const changesPage = (options: {
  readonly viewer: Viewer
  readonly of: ZonePlan
  /** Whether the owner approved something else, which is not so any more. */
  readonly isChanged: boolean
}): Reply => {
  const { viewer } = options
  const { digest, domain, plan, zone } = options.of
  const path = `${DOMAINS}/${domain.domainId}` as const
  const changes = changesOf(plan)
  const conflicts = plan.filter(({ action }) => action === "conflict")
  return titledPage(
    {
      status: options.isChanged ? 409 : 200,
      title: `Changes to ${zone.name}`,
      viewer,
      at: "sending",
      isNarrow: true,
      lead: (
        <>
          Read from the DNS host just now. We do exactly this and nothing else.{" "}
          <a href={path}>Back to {domain.domain}</a>
        </>
      )
    },
    <>
      {options.isChanged ? (
        <Note tone="bad" role="alert">
          The zone has changed since you looked. Nothing was done. This is the new plan.
        </Note>
      ) : null}
      {changes.length === 0 ? (
        <p class="card soft">No record needs a change that we can make.</p>
      ) : (
        <div class="stack">
          {changes.map((change) => (
            <section key={`${change.name} ${change.type}`} class="card">
              <h2>
                {change.type} at <code>{change.name}</code>
              </h2>
              {removed(change).length === 0 ? null : <Values label="Is replaced" values={removed(change)} />}
              <Values label="Is added" values={added(change)} />
            </section>
          ))}
        </div>
      )}
      {conflicts.length === 0 ? null : (
        <Section id="conflicts" title="Left alone">
          <div class="stack">
            {conflicts.map((of) => (
              <RecordCard key={`${of.name} ${of.type}`} of={of} />
            ))}
          </div>
        </Section>
      )}
      <MayNote path={`${path}/changes`} loosening="approve these changes" />
      {changes.length === 0 ? null : (
        <Form action={`${path}/approve`} button={`Approve ${count(changes.length, "change")}`}>
          <input type="hidden" name="digest" value={digest} />
        </Form>
      )}
    </>
  )
}

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
