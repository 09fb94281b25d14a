import { usableEmail } from "@outbound/domain/kernel/people/EmailAddress.js"
import type { Address } from "postal-mime"

/** How much of a field we search for an address. */
const FIELD_CHARS_MAX = 2_000

/** Most addresses of a field that are looked at. */
const ADDRESSES_MAX = 20

/** Who wrote it, in the order in which fields say so: programs and broken clients leave `From` without an address. */
const FIELDS = ["from", "sender", "reply-to", "return-path"] as const

/** Both come with the library, which is loaded at the first message. */
export interface AddressTools {
  readonly addressParser: (text: string) => ReadonlyArray<Address>
  readonly decodeWords: (text: string) => string
}

interface Field {
  readonly key: string
  readonly value: string
}

const addressesOf = (parsed: ReadonlyArray<Address>): ReadonlyArray<string> =>
  parsed.flatMap((one) => (one.group === undefined ? [one] : one.group)).flatMap(({ address }) => address ?? [])

/** What stands for an address in a field that no parser understands, such as `Ann [ann@acme.com]`. */
const bareIn = (text: string): ReadonlyArray<string> =>
  text.match(/[^\s<>,;:"'()[\]]{1,320}@[^\s<>,;:"'()[\]]{1,320}/g) ?? []

/** An address may stand in an encoded word, alone or with the name, which no standard allows. */
const writtenIn = (value: string, { addressParser, decodeWords }: AddressTools): ReadonlyArray<string> => {
  const decoded = decodeWords(value)
  return [
    ...addressesOf(addressParser(value)).map(decodeWords),
    ...(decoded === value ? [] : addressesOf(addressParser(decoded))),
    ...bareIn(decoded)
  ].slice(0, ADDRESSES_MAX)
}

/**
 * The first address of its sender that mail can be sent to, as it is written: of `From`, with its groups, else of the
 * fields after it. Null: it has none.
 */
export const senderIn = (fields: ReadonlyArray<Field>, tools: AddressTools): string | null => {
  for (const name of FIELDS) {
    for (const { key, value } of fields) {
      if (key !== name) continue
      const found = writtenIn(value.slice(0, FIELD_CHARS_MAX), tools).find((one) => usableEmail(one) !== null)
      if (found !== undefined) return found
    }
  }
  return null
}
