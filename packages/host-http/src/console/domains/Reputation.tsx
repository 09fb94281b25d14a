import type { DomainReputation } from "@outbound/domain/control/domains/Domains.js"
import { type ListStanding, SHOWN_DAYS } from "@outbound/domain/outreach/reputation/DomainWatch.js"
import { count, Moment } from "../../web/Words.js"
import { Cards, Note, Section, StateBadge } from "../Parts.js"

/** Most addresses that are listed. */
const SOURCES_SHOWN_MAX = 20

const share = (part: number, whole: number): string => `${whole === 0 ? 0 : Math.floor((part * 1000) / whole) / 10} %`

const standing = ({ isListed, last }: ListStanding): readonly [string, "good" | "bad" | "wait" | undefined] => {
  if (isListed === true) return ["Listed", "bad"]
  if (last === "refused") return ["Refuses our resolver", "wait"]
  if (last === "silent") return ["No answer", "wait"]
  return ["Not listed", "good"]
}

const Lists = (props: { readonly lists: ReadonlyArray<ListStanding> }) => (
  <Section id="blocklists" title="Blocklists">
    <Cards
      of={props.lists}
      none="No blocklist has been asked. The operator of this service chooses the lists."
      each={(one) => (
        <li key={`${one.zone} ${one.subject}`} class="card">
          <p>
            {one.subject} at {one.zone} <StateBadge of={standing(one)} />
            {one.isListed === null ? null : (
              <>
                {" "}
                since <Moment atMillis={one.sinceMillis} />
              </>
            )}
          </p>
          {one.says === "" ? null : <p class="soft">The list says: “{one.says}”</p>}
        </li>
      )}
    />
  </Section>
)

/** What receivers report of a domain's mail, what blocklists say of it, and records that are gone. */
export const Reputation = (props: { readonly of: DomainReputation }) => {
  const { provenMessages, rule, sources, watch } = props.of
  const sumOf = (of: (one: (typeof sources)[number]) => number) => sources.reduce((sum, one) => sum + of(one), 0)
  const messages = sumOf((one) => one.messages)
  const failing = sources.filter((one) => one.aligned < one.messages)
  return (
    <>
      {watch?.missing == null ? null : (
        <Note tone="bad">
          Missing or changed since <Moment atMillis={watch.missing.sinceMillis} />: {watch.missing.records.join(", ")}.
        </Note>
      )}
      {watch?.failing == null ? null : (
        <Note tone="bad">
          {watch.failing.failed} of {count(watch.failing.messages, "message")} failed DMARC in the last 7 days. The
          limit is {rule.failingPercentMax} %.
        </Note>
      )}
      <Section id="dmarc" title="DMARC reports">
        {messages === 0 ? (
          <p class="card soft">
            No report in the last {SHOWN_DAYS} days. We read those that arrive in an own mailbox of the workspace.
          </p>
        ) : (
          <>
            <p>
              {count(messages, "message")} in {SHOWN_DAYS} days,{" "}
              {share(
                sumOf((one) => one.aligned),
                messages
              )}{" "}
              passed:{" "}
              {share(
                sumOf((one) => one.dkim),
                messages
              )}{" "}
              by DKIM,{" "}
              {share(
                sumOf((one) => one.spf),
                messages
              )}{" "}
              by SPF. Receivers put {sumOf((one) => one.quarantined)} aside and refused {sumOf((one) => one.rejected)}.
            </p>
            <p class="soft">
              Proven reports counted {provenMessages} of them. Anyone can send the others. Mail that fails may be forged
              by somebody else: compare the addresses with your servers.
            </p>
            {failing.length === 0 ? null : (
              <div class="scroll" tabIndex={0} role="region" aria-label="Addresses whose mail fails">
                <table>
                  <thead>
                    <tr>
                      <th scope="col">Address</th>
                      <th scope="col">Messages</th>
                      <th scope="col">Failed</th>
                    </tr>
                  </thead>
                  <tbody>
                    {failing.slice(0, SOURCES_SHOWN_MAX).map((one) => (
                      <tr key={one.ip}>
                        <td>
                          <code>{one.ip}</code>
                        </td>
                        <td>{one.messages}</td>
                        <td>{one.messages - one.aligned}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            )}
          </>
        )}
      </Section>
      <Lists lists={watch?.lists ?? []} />
    </>
  )
}
