/** People of the sandbox who do as they are named, as many of each as a test needs (docs/sandbox.md). */
const person =
  (name: string) =>
  (tag?: string | number): string =>
    `${name}${tag === undefined ? "" : `+${tag}`}@magic.test`

/** Who reacts to the first message of a campaign. */
export const recipients = {
  interested: person("interested"),
  notInterested: person("not_interested"),
  other: person("other"),
  outOfOffice: person("out_of_office"),
  unsubscribes: person("unsubscribe"),
  bounces: person("bounce"),
  silent: person("silent")
}

/** What verify_email says of an address. */
export const addresses = {
  valid: person("valid"),
  invalid: person("invalid"),
  catchAllValid: person("catch_all_valid"),
  catchAllUnknown: person("catch_all_unknown"),
  risky: person("risky"),
  unknown: person("unknown"),
  unavailable: person("unavailable"),
  slow: person("slow")
}
