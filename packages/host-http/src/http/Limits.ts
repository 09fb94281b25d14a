/** Every bound of the HTTP host. Times are in milliseconds, sizes in bytes. */
export const LIMITS = {
  /** A campaign of 5,000 recipients fits. */
  bodyBytesMax: 4 * 1024 * 1024,
  /** All bodies being read, together. */
  bodiesBytesMax: 512 * 1024 * 1024,
  /** A form of the console. */
  formBytesMax: 16 * 1024,
  /** An answer of as many characters as `reply_to_thread` takes, each of up to nine bytes in a form. */
  replyFormBytesMax: 256 * 1024,
  /** A form with a list of some 30,000 addresses. */
  listFormBytesMax: 1024 * 1024,
  /** The deepest JSON. */
  jsonDepthMax: 64,
  /** The most members of an object; each costs several passes. */
  jsonMembersMax: 10_000,
  headerBytesMax: 16 * 1024,
  connectionsMax: 10_000,
  /** Of one address, an IPv6 one by its /64. A configured proxy may open them all. */
  connectionsPerAddressMax: 4_000,
  /** Pages of the console that wait to hear of changes: of the host, of one address, and of one session. */
  watchersMax: 2_000,
  watchersPerAddressMax: 200,
  watchersPerSessionMax: 20,
  /** Requests of one address a minute that carry no credential. */
  anonymousPerMinuteMax: 12_000,
  /** Credentials of one address a minute that are refused. */
  failedPerMinuteMax: 3_000,
  /** From the first byte of a request to the end of its headers. */
  headersMillisMax: 15_000,
  /** From the first byte of a request to the end of its body. */
  requestMillisMax: 60_000,
  /** How often the two times above are checked. */
  connectionsCheckMillis: 2_000,
  /** Longer than the idle time of usual load balancers, so that they close first. */
  keepAliveMillis: 65_000,
  /** How long a client may take to read an answer. */
  writeMillisMax: 30_000,
  /** How long, and how much of, an unwanted body is read, so that its sender sees the answer. */
  lingerMillisMax: 2_000,
  lingerBytesMax: 16 * 1024 * 1024,
  /** An unwanted body up to this size is read to its end, and the connection stays. */
  drainedBodyBytesMax: 64 * 1024,
  /** How long calls in flight may take once the host stops. */
  drainMillisMax: 25_000,
  /** How long broken calls may take to be settled. */
  brokenOffMillisMax: 2_000
} as const

export type Limits = { readonly [K in keyof typeof LIMITS]: number }
