import { Domains, type DomainView } from "@outbound/domain/control/domains/Domains.js"
import { added, isGreen, type Planned } from "@outbound/domain/outreach/domains/planRecords.js"
import { SendingDomainMachine } from "@outbound/domain/outreach/domains/SendingDomainMachine.js"
import type { SendingDomain } from "@outbound/domain/outreach/domains/SendingDomainStore.js"
import { MAIL_HOSTS } from "@outbound/domain/outreach/domains/wishesOf.js"
import { Effect, Schema } from "effect"
import type { OutboundConfig } from "../Config.js"
import type { Actions } from "./Actions.js"
import { command, optional, type Outcome, repeated, required, switched } from "./Command.js"
import { asWire } from "./asWire.js"
import * as Flags from "./flags.js"

const OPERATOR = { kind: "operator" } as const

const workspace = required(Flags.Id, "ID", "The workspace")
const domainId = required(Flags.Id, "ID", "The domain's id, as printed by list")

const domainJson = ({ createdAtMillis, domain, domainId: id, sinceMillis, state, stopped, zone }: SendingDomain) => ({
  domain_id: id,
  domain,
  state,
  since: new Date(sinceMillis).toISOString(),
  stopped,
  dns_host: zone?.vendor ?? null,
  created_at: new Date(createdAtMillis).toISOString()
})

const STANDING: Readonly<Record<Planned["action"], string>> = {
  leave: "green",
  create: "missing",
  merge: "different",
  conflict: "conflict",
  unknown: "unknown"
}

const recordJson = (planned: Planned) => ({
  record: planned.kind,
  name: planned.name,
  type: planned.type,
  state: STANDING[planned.action],
  found: planned.before,
  set: planned.action === "leave" ? [] : added(planned),
  says: planned.reason
})

const recordText = (planned: Planned): string =>
  [
    `  ${planned.kind.toUpperCase().padEnd(5)} ${STANDING[planned.action]}`,
    ...(planned.action === "leave"
      ? []
      : added(planned).map((value) => `        set: ${planned.name} ${planned.type} ${value}`)),
    ...(planned.action === "create" ? [] : planned.before.map((value) => `        found: ${value}`)),
    ...(planned.reason === null ? [] : [`        ${planned.reason}`])
  ].join("\n")

const viewOutcome = ({ domain, plan }: DomainView): Outcome => ({
  json: { ...domainJson(domain), green: isGreen(plan), records: plan.map(recordJson) },
  text: [
    `Domain ${domain.domain} (${domain.domainId}) is ${domain.state}.`,
    ...(domain.stopped === null ? [] : [`- ${domain.stopped}`]),
    ...plan.map(recordText)
  ].join("\n")
})

/**
 * Sending domains of live workspaces. The operator sees which records are missing, but sets none: that needs an owner's
 * approval in the console.
 */
export const domainCommands = (actions: Pick<Actions, "operate">, config: Effect.Effect<OutboundConfig, unknown>) => {
  const operate = <E>(work: (domains: Domains["Service"]) => Effect.Effect<Outcome, E>) =>
    Effect.flatMap(config, (read) => actions.operate(read, asWire()(Effect.flatMap(Domains, work))))

  const add = command(
    "add",
    "Adds a sending domain, and prints the DNS records that it needs.",
    {
      workspace,
      domain: required(Schema.String, "D", "The domain, such as acme.example"),
      "mail-host": optional(
        Schema.Literals(MAIL_HOSTS),
        "H",
        `Who keeps its mailboxes: ${MAIL_HOSTS.join(", ")}; default: other`
      ),
      dkim: repeated(Schema.String, "K", 'A DKIM record: "selector TXT v=DKIM1; k=rsa; p=…" or "selector CNAME host"'),
      spf: repeated(Schema.String, "T", "A further SPF term, such as include:_spf.example.com"),
      "reports-to": optional(Schema.String, "A", "Where DMARC reports go; default: dmarc@ the domain"),
      mx: repeated(Schema.String, "M", 'An MX record, such as "10 mx.example.com"'),
      "takes-mail": switched("Wants the MX records of the mail host too")
    },
    (flags) =>
      operate((domains) =>
        Effect.gen(function* () {
          const given = {
            domain: flags.domain,
            mailHost: flags["mail-host"] ?? "other",
            dkim: flags.dkim,
            spf: flags.spf,
            reportsTo: flags["reports-to"] ?? "",
            mx: flags.mx,
            takesMail: flags["takes-mail"] === "on"
          } as const
          const { domainId: id } = yield* domains.add(flags.workspace, given, OPERATOR)
          return viewOutcome(yield* domains.view(flags.workspace, id))
        })
      )
  )

  const list = command("list", "Lists a workspace's sending domains.", { workspace }, (flags) =>
    operate((domains) =>
      Effect.map(domains.list(flags.workspace), (all) => ({
        json: { domains: all.map(domainJson) },
        text:
          all.length === 0
            ? "The workspace has no sending domains."
            : all.map((one) => `${one.domainId}  ${one.state.padEnd(8)}  ${one.domain}`).join("\n")
      }))
    )
  )

  const show = command(
    "show",
    "Prints the DNS records that a domain needs beside what stands there. Exits with code 1 unless all are green.",
    { workspace, domain: domainId },
    (flags) =>
      operate((domains) =>
        Effect.map(domains.view(flags.workspace, flags.domain), (view) => ({
          ...viewOutcome(view),
          isBad: !isGreen(view.plan)
        }))
      )
  )

  const check = command(
    "check",
    "Looks until a domain's records are all green, in the background.",
    { workspace, domain: domainId },
    (flags) =>
      operate((domains) =>
        Effect.map(domains.check(flags.workspace, flags.domain, OPERATOR), (checking) => ({
          json: domainJson(checking),
          text: `The records of ${checking.domain} are checked until they are green.`,
          isBad: !SendingDomainMachine.is.checking(checking.state)
        }))
      )
  )

  const remove = command(
    "remove",
    "Removes a sending domain here. Its DNS records stay.",
    { workspace, domain: domainId },
    (flags) =>
      operate((domains) =>
        Effect.as(domains.remove(flags.workspace, flags.domain, OPERATOR), {
          json: { domain_id: flags.domain, removed: true },
          text: `Domain ${flags.domain} was removed.`
        })
      )
  )

  return [add, list, show, check, remove] as const
}
