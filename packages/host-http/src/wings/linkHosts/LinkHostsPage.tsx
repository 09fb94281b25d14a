import { type LinkTrouble, WATCHED_MAX } from "@outbound/domain/wings/linkHosts/LinkHost.js"
import {
  LinkHostAdmin,
  type LinkHostStanding,
  type LinkHostView
} from "@outbound/domain/wings/linkHosts/LinkHostAdmin.js"
import { LinkHostMachine, type LinkHostState } from "@outbound/domain/wings/linkHosts/LinkHostMachine.js"
import { Effect } from "effect"
import type { Reply } from "../../http/Reply.js"
import { Moment } from "../../web/Words.js"
import { acting, MayNote } from "../../console/control/acting.js"
import { formsOf } from "../../console/control/formsOf.js"
import { maybe, pages } from "../../console/pages.js"
import { Badge, Facts, Field, Form, Note, type Problem, Section, type Tone } from "../../console/Parts.js"
import { Values } from "../../console/domains/DomainsPage.js"
import { saidOf, titledPage } from "../../console/Shell.js"
import type { Viewer } from "../../console/Viewer.js"
import { type Inside, member, type Page } from "../../console/Visit.js"

export const LINK_HOSTS_PATH = "/console/settings/link-hosts"

const DONE: Readonly<Record<string, string>> = {
  added: "The host is saved. Set its two records; it is used once they are there and the service answers under it.",
  checked: "The host is being looked at now.",
  removed: "The host is removed. Links that lead to it stay good, as long as its name leads to this service."
}

const STATE_WORDS: Readonly<Record<LinkHostState, readonly [tone: Tone, words: string]>> = {
  waiting: ["wait", "Waiting for its records"],
  proven: ["wait", "Proven, not answering yet"],
  used: ["good", "Used in new mail"],
  failing: ["bad", "Not answering"],
  retired: [undefined, "Not used any more"]
}

const TROUBLE_WORDS: Readonly<Record<LinkTrouble, string>> = {
  no_proof: "The TXT record below is not there, or says something else.",
  taken: "Another workspace of this service proved this name and has it.",
  dns_silent: "The name servers of the domain did not answer.",
  no_address: "The name leads nowhere: set the CNAME record below.",
  private_address: "The name leads to an address of a private network.",
  unreachable: "Nobody answers under the name.",
  certificate: "The name has no certificate that holds. The operator’s proxy gets one, which can take some minutes.",
  redirects: "Who answers under the name sends us elsewhere. Links need this service itself.",
  answers_otherwise: "Somebody answers under the name, and it is not this service.",
  host_hidden: "A proxy before this service hides the name that it was asked by. The operator can mend that."
}

const Standing = (props: { readonly of: LinkHostView; readonly target: string }) => {
  const { addedAtMillis, addedBy, answeredAtMillis, checkedAtMillis, domain, host, listed, proof, state, trouble } =
    props.of
  const [tone, words] = STATE_WORDS[state]
  const isWatched = LinkHostMachine.is.watched(state)
  return (
    <section class="card">
      <h3>
        {host} <Badge tone={tone}>{words}</Badge>
      </h3>
      {trouble === null ? null : <p>{TROUBLE_WORDS[trouble]}</p>}
      {LinkHostMachine.is.failing(state) ? (
        <Note tone="bad">New mail carries the service’s own address until the host answers again.</Note>
      ) : null}
      {listed.map(({ says, zone }) => (
        <Note tone="bad">
          It is on the blocklist {zone}
          {says === "" ? null : `: ${says}`}. Receivers may refuse mail that names it.
        </Note>
      ))}
      <div class="stack">
        <Facts
          isInCard
          of={[
            ["For", domain === null ? "all mail" : `mail from ${domain}`],
            [
              "Set",
              <>
                by {addedBy}, <Moment atMillis={addedAtMillis} />
              </>
            ],
            ["Last looked at", checkedAtMillis === null ? "not yet" : <Moment atMillis={checkedAtMillis} />],
            ["Last answered", answeredAtMillis === null ? "never" : <Moment atMillis={answeredAtMillis} />]
          ]}
        />
        {isWatched ? (
          <>
            <details open={!LinkHostMachine.is.used(state)}>
              <summary>Records to set where the domain’s DNS is</summary>
              <Values label={`TXT at ${proof.name}`} values={[proof.value]} />
              <Values label={`CNAME at ${host}`} values={[props.target]} />
              <p class="soft">
                The TXT record proves that the name is this workspace’s; leave it there. Instead of the CNAME, an A
                record with the service’s address does too.
              </p>
            </details>
            <div class="actions">
              <Form action={`${LINK_HOSTS_PATH}/check`} button="Look now" about={host}>
                <input type="hidden" name="host" value={host} />
              </Form>
              <Form action={`${LINK_HOSTS_PATH}/remove`} button="Remove" tone="stop" about={host}>
                <input type="hidden" name="host" value={host} />
              </Form>
            </div>
          </>
        ) : null}
      </div>
    </section>
  )
}

const linkHostsPage = (options: {
  readonly viewer: Viewer
  readonly standing: LinkHostStanding
  readonly done: string | null
  readonly problem?: Problem | undefined
}): Reply => {
  const { done, problem, standing, viewer } = options
  const { current, hosts, target } = standing
  return titledPage(
    {
      said: saidOf(DONE, done),
      problem,
      title: "Link hosts",
      viewer,
      at: "settings",
      isNarrow: true,
      lead: "The links in your mail, to unsubscribe and to read why it came, lead to a host of your own. Receivers then judge your mail by your own name."
    },
    <>
      <MayNote path={LINK_HOSTS_PATH} loosening="set a link host" />
      <div class="stack">
        <Section id="now" title="Now" isCard>
          <p>
            Links in new mail lead to <strong>{current}</strong>
            {current === target ? ", the address of this service, which its other workspaces use as well" : null}. Links
            in mail that was sent stay good on every host they were sent with.
          </p>
        </Section>
        {hosts.length === 0 ? null : (
          <Section id="hosts" title="Your hosts">
            <div class="stack">
              {hosts.map((of) => (
                <Standing key={of.host} of={of} target={target} />
              ))}
            </div>
          </Section>
        )}
        <Form class="card" action={`${LINK_HOSTS_PATH}/add`} button="Save">
          <h2>Add a host</h2>
          <Field
            label="Host"
            name="host"
            required
            maxLength={200}
            hint={`Such as links.acme.com, best under the domain that you send from. At most ${WATCHED_MAX}.`}
          />
          <Field
            label="Only for mail from"
            name="domain"
            maxLength={200}
            hint="A domain that you send from. Empty: for all mail that has no host of its own."
          />
        </Form>
      </div>
    </>
  )
}

export const linkHostPages = pages({ hosts: maybe(LinkHostAdmin) }, ({ hosts }) => {
  if (hosts === null) return []

  const show = (visit: Inside, problem?: Problem): Page => {
    const { by, query, viewer } = visit
    const shown = Effect.map(hosts.standing(by), (standing) =>
      linkHostsPage({ viewer, standing, done: query.get("done"), problem })
    )
    return acting(visit, "/console/settings", shown, { done: (page) => page })
  }

  const { route } = formsOf(LINK_HOSTS_PATH, show)
  const typed = (form: URLSearchParams, name: string): string => form.get(name) ?? ""

  return [
    member(LINK_HOSTS_PATH, { get: (visit) => show(visit) }),
    route("add", "added", ({ by, form }) =>
      hosts.add(by, { host: typed(form, "host"), domain: typed(form, "domain") })
    ),
    route("check", "checked", ({ by, form }) => hosts.check(by, typed(form, "host"))),
    route("remove", "removed", ({ by, form }) => hosts.remove(by, typed(form, "host")))
  ]
})
