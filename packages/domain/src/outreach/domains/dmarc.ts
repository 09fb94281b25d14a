/** DMARC records (RFC 7489): made, or completed without weakening what stands there. */
import { Either } from "effect"

export const isDmarc = (text: string): boolean => /^v\s*=\s*DMARC1\s*(?:;|$)/i.test(text)

/** A receiver need not send its reports to more addresses (RFC 7489 §6.2 leaves the limit to it). */
const REPORT_ADDRESSES_MAX = 2

const RUA = /(^|;)(\s*rua\s*=\s*)([^;]*)/i

const withReports = (record: string, address: string): Either.Either<string, string> => {
  const wanted = `mailto:${address}`
  const given = RUA.exec(record)?.[3]
  if (given === undefined) return Either.right(`${record.trim().replace(/;$/, "")}; rua=${wanted}`)
  const addresses = given
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "")
  if (addresses.some((one) => one.toLowerCase().replace(/![0-9]+[kmgt]?$/, "") === wanted.toLowerCase())) {
    return Either.right(record)
  }
  if (addresses.length >= REPORT_ADDRESSES_MAX) {
    return Either.left(
      `The DMARC record already names ${addresses.length} addresses for reports. Replace one of them by ${wanted}.`
    )
  }
  return Either.right(record.replace(RUA, (_, start, tag) => `${start}${tag}${[...addresses, wanted].join(",")}`))
}

/** The record that also sends its reports there. Its policy stays; a new one only observes. Left: why we leave it. */
export const mergeDmarc = (found: ReadonlyArray<string>, reportsTo: string): Either.Either<string, string> => {
  const [record] = found
  if (record === undefined) return Either.right(`v=DMARC1; p=none; rua=mailto:${reportsTo}`)
  if (found.length > 1) {
    return Either.left(`There are ${found.length} DMARC records, so receivers ignore them. Keep one.`)
  }
  if (!/;\s*p\s*=\s*(?:none|quarantine|reject)\s*(?:;|$)/i.test(record)) {
    return Either.left(
      "The DMARC record has no valid policy, so receivers ignore it. Give it “p=none” or a stricter one."
    )
  }
  return withReports(record, reportsTo)
}
