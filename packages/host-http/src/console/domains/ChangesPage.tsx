import type { ZonePlan } from "@outbound/domain/control/domains/Domains.js"
import { added, changesOf, removed } from "@outbound/domain/outreach/domains/planRecords.js"
import type { Reply } from "../../http/Reply.js"
import { count } from "../../web/Words.js"
import { MayNote } from "../control/acting.js"
import { Form } from "../Fields.js"
import { Note, Section } from "../Parts.js"
import type { Viewer } from "../Shell.js"
import { DOMAINS } from "./DomainsPage.js"
import { RecordCard, Values } from "./DomainWords.js"
import { titledPage } from "../titledPage.js"

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
