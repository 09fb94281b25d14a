/** The forms of an answer that a client takes. */
export interface Accepted {
  readonly json: boolean
  readonly stream: boolean
}

/** What the library demands. Which form is sent is decided before. */
export const BOTH_FORMS = "application/json, text/event-stream"

const weightOf = (parameters: ReadonlyArray<string>): number => {
  const weight = parameters.map((one) => /^\s*q\s*=\s*([\d.]+)\s*$/i.exec(one)?.[1]).find((one) => one !== undefined)
  return weight === undefined ? 1 : Number(weight)
}

/** RFC 9110 §12.5.1: the most specific range that fits counts, and 0 means never. Without the header, all forms. */
export const acceptedBy = (header: string | undefined): Accepted => {
  if (header === undefined || header.trim() === "") return { json: true, stream: true }
  const ranges = new Map(
    header.split(",").map((part) => {
      const [range = "", ...parameters] = part.split(";")
      return [range.trim().toLowerCase(), weightOf(parameters)] as const
    })
  )
  const takes = (type: string, range: string): boolean =>
    (ranges.get(type) ?? ranges.get(range) ?? ranges.get("*/*") ?? 0) > 0
  return { json: takes("application/json", "application/*"), stream: takes("text/event-stream", "text/*") }
}
