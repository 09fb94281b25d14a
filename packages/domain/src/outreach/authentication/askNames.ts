import { Effect, Option } from "effect"
import { operatorOf } from "../../kernel/people/Suffixes.js"
import { repaired } from "../../kernel/text.js"
import { countSpfLookups, SPF_LOOKUPS_MAX } from "../domains/spf.js"
import type { DomainRecords } from "../mail/DomainRecords.js"
import type { SeenSignature } from "../mail/MailProbe.js"
import { checkVitals, type Vital, type VitalState } from "./vitals.js"
import type { CheckStatus, Finding, Findings } from "./Look.js"

const STATUS: Readonly<Record<VitalState, CheckStatus>> = {
  good: "pass",
  weak: "fail",
  missing: "missing",
  unknown: "unknown"
}

/** Whether both are of one organisation, as relaxed alignment wants (RFC 7489 §3.1). */
const isOneOrganisation = (a: string, b: string): boolean => (operatorOf(a) ?? a) === (operatorOf(b) ?? b)

const findingOf = ({ advice, found, state }: Vital, aligned: boolean | null, checkedAtMillis: number): Finding => ({
  status: STATUS[state],
  aligned,
  // What strangers publish may be no text that can be stored.
  detail: repaired(advice ?? found ?? ""),
  checkedAtMillis
})

const passes = ({ state }: Pick<Vital, "state">): boolean => STATUS[state] === "pass"

const UNKNOWN: Vital = { name: "dkim", state: "unknown", found: null, advice: null }

/** The record is good, but takes too many look-ups. If they can't be counted now, it stays as it is. */
const withinLookups = (records: DomainRecords["Service"], domain: string, spf: Vital): Effect.Effect<Vital> =>
  !passes(spf) || spf.found === null
    ? Effect.succeed(spf)
    : Effect.map(Effect.option(countSpfLookups(records, spf.found)), (count): Vital =>
        Option.isNone(count) || count.value <= SPF_LOOKUPS_MAX
          ? spf
          : {
              ...spf,
              state: "weak",
              advice: `The SPF record of ${domain} takes more than ${SPF_LOOKUPS_MAX} look-ups, which receivers treat as an error. Remove terms that are no longer needed.`
            }
      )

const notAligned = (domain: string, { selector, signer }: SeenSignature, nowMillis: number): Finding => ({
  status: "fail",
  aligned: false,
  detail: `Mail of ${domain} is signed by ${signer} (selector ${selector}) and not by ${domain}. Turn on DKIM signing for ${domain} at your mail provider and add the TXT or CNAME record it gives you.`,
  checkedAtMillis: nowMillis
})

/** What the domain's mail was seen to be signed with, beside the keys that stand in the DNS. */
const dkimFinding = (domain: string, vital: Vital, seen: ReadonlyArray<SeenSignature>, nowMillis: number): Finding => {
  const [first] = seen
  const isOwn = seen.some(({ signer }) => isOneOrganisation(signer, domain))
  if (first === undefined || isOwn) return findingOf(vital, isOwn && passes(vital) ? true : null, nowMillis)
  // Since that mail, somebody may have turned on signing: a key that stands there now speaks for it.
  return passes(vital) ? findingOf(vital, null, nowMillis) : notAligned(domain, first, nowMillis)
}

/**
 * Asks the name servers what receivers would find. Never fails: what was not answered is `unknown`. `selectors`: of DKIM
 * keys that the owner, or the domain's wishes, name.
 */
export const askNames = (
  records: DomainRecords["Service"],
  domain: string,
  known: { readonly selectors: ReadonlyArray<string>; readonly seen: ReadonlyArray<SeenSignature> },
  nowMillis: number
): Effect.Effect<Findings> =>
  Effect.gen(function* () {
    const own = known.seen.filter(({ signer }) => isOneOrganisation(signer, domain))
    // A signature by the organisation's other name has its key there.
    const signer = own.some((one) => one.signer === domain) ? domain : (own[0]?.signer ?? domain)
    const selectors = [...new Set([...own.map(({ selector }) => selector), ...known.selectors])]
    const vitals = yield* checkVitals(records, domain, selectors)
    const at = (name: Vital["name"]): Vital => vitals.find((one) => one.name === name) ?? { ...UNKNOWN, name }
    const elsewhere = signer === domain ? [] : yield* checkVitals(records, signer, selectors)
    const dkimVital = passes(at("dkim")) ? at("dkim") : (elsewhere.find(({ name }) => name === "dkim") ?? at("dkim"))
    const spfVital = yield* withinLookups(records, domain, at("spf"))
    // Messages leave with the mailbox's own address as their envelope sender, so SPF speaks for its domain.
    const spf = findingOf(spfVital, passes(spfVital) ? true : null, nowMillis)
    const dkim = dkimFinding(domain, dkimVital, known.seen, nowMillis)
    const isAligned = spf.aligned === true || dkim.aligned === true
    const dmarcVital = at("dmarc")
    const dmarc = findingOf(dmarcVital, passes(dmarcVital) ? (isAligned ? true : null) : null, nowMillis)
    return { spf, dkim, dmarc, mx: findingOf(at("mx"), null, nowMillis) }
  })
