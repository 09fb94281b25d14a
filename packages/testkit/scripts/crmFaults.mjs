/** The faults of what is read from CRMs and written to them. */

const DOMAIN = "packages/domain/src/wings/crm"
const ADAPTERS = "packages/adapters/src/wings/crm"

const service = (...tests) => ({ file: "packages/testkit/test/wings/crm/service.test.ts", tests })
const console_ = (...tests) => ({ file: "packages/host-http/test/wings/crm/console.test.ts", tests })
const address = { file: "packages/domain/test/wings/crm/crmAccess.test.ts", tests: [] }
const over = (name, ...tests) => ({ file: `packages/adapters/test/wings/crm/${name}.test.ts`, tests })

const LEFT_OUT = service("customers, open deals and others' contacts are left out")
const READING = service("a reading that was cut goes on where it stood")
const CODES = over("salesforce", "its own codes say what to do")
const OTHER_ANSWER = over("privateHosts", "by another answer of its name servers")
const DELETED = over("crms", "forgets what was deleted")

export const CRM_FAULTS = [
  {
    guarantee: "a note whose answer was lost is looked up before it is written again",
    file: `${DOMAIN}/crmHandler.ts`,
    find: 'if (reason === "unknown_outcome") return { event: "lose", trouble: reason, pauseMillis: SETTLE_MILLIS }',
    replace: "",
    by: service("an answer to write that is lost, after it is done")
  },
  {
    guarantee: "a note that is found is not written again",
    file: `${DOMAIN}/crmHandler.ts`,
    find: '? "deliver" : "absent"',
    replace: '? "absent" : "absent"',
    by: service("a host that dies in write, after it is done")
  },
  {
    guarantee: "nobody is added to the CRM unless the owner wants that",
    file: `${DOMAIN}/crmHandler.ts`,
    find: "if (Option.isSome(found) || !createsContacts) return found",
    replace: "if (Option.isSome(found)) return found",
    by: service("nobody is added to the CRM unless the owner wants that")
  },
  {
    guarantee: "what the CRM refuses is not asked again",
    file: `${DOMAIN}/crmHandler.ts`,
    find: 'const isOver = reason === "invalid" || write.attempts',
    replace: "const isOver = write.attempts",
    by: service("what the CRM refuses is not asked again")
  },
  {
    guarantee: "a reading that stands still ends nothing",
    file: `${DOMAIN}/reading.ts`,
    find: "(page) => page.cursor === null || page.cursor !== cursor",
    replace: "() => true",
    by: READING
  },
  {
    guarantee: "a CRM is left alone for as long as it asks",
    file: `${DOMAIN}/reading.ts`,
    find: "(retryAfterSeconds ?? 0) * 1_000",
    replace: "0",
    by: READING
  },
  {
    guarantee: "a record that is gone is forgotten",
    file: `${DOMAIN}/reading.ts`,
    find: 'if (reading.pass === "full") return { ...reading, pass: "sweep", cursor: null }',
    replace: 'if (reading.pass === "full") return { ...over, readAllAtMillis: reading.beganAtMillis }',
    by: service("a lost deal lets people be written to again")
  },
  {
    guarantee: "a customer keeps out everybody at their company",
    file: `${DOMAIN}/marks.ts`,
    find: "[...owned, ...emails.flatMap((email) => companyOf(email) ?? [])]",
    replace: "[...owned]",
    by: LEFT_OUT
  },
  {
    guarantee: "who said no in the CRM is no recipient",
    file: `${DOMAIN}/marks.ts`,
    find: "...(refusal === null ? []",
    replace: "...(refusal !== undefined ? []",
    by: service("who said no in the CRM, or got no mail there, is no recipient")
  },
  {
    guarantee: "an owner keeps out only what they own",
    file: `${DOMAIN}/marks.ts`,
    find: 'marks(owned, "owned")',
    replace: 'marks(everybody, "owned")',
    by: LEFT_OUT
  },
  {
    guarantee: "a key opens only for its CRM",
    file: `${DOMAIN}/crmKey.ts`,
    find: "`${workspaceId}/${vendor}`",
    replace: "workspaceId + vendor.slice(0, 0)",
    by: console_("is connected, shown without its key")
  },
  {
    guarantee: "only a service on its user's machine asks that machine",
    file: `${DOMAIN}/CrmAccess.ts`,
    find: "const isOwn = (isAtHome || isAllowed) && isLoopbackHost(hostname)",
    replace: "const isOwn = isLoopbackHost(hostname)",
    by: address
  },
  {
    guarantee: "an address of a CRM has a public name",
    file: `${DOMAIN}/CrmAccess.ts`,
    find: 'const isInner = isAddress(hostname) || !hostname.includes(".")',
    replace: "const isInner = hostname.length < 0",
    by: address
  },
  {
    guarantee: "an address of a CRM is one that the CRM has",
    file: `${DOMAIN}/CrmAccess.ts`,
    find: "hosts !== undefined && !hosts.pattern.test(hostname)",
    replace: "hosts !== undefined && hostname.length < 0",
    by: console_("an address is the public name of a host")
  },
  {
    guarantee: "what was read of one account of a CRM says nothing of another",
    file: "packages/domain/src/wings/crm/CrmAdmin.ts",
    find: "if (isOther) yield* store.remove(workspaceId)",
    replace: "",
    by: console_("one with its own address keeps it")
  },
  {
    guarantee: "the CRM of a service for others is at no address of this machine",
    file: `${ADAPTERS}/doorToCrm.ts`,
    find: "isAtHome || isListed",
    replace: "isAtHome || !isListed",
    by: over("twenty", "is connected to only where it is public")
  },
  {
    guarantee: "a name of a CRM that resolves to an inner address is not connected to",
    file: "packages/adapters/src/site/Gate.ts",
    find: "if (found.every(({ address }) => isPublicAddress(address) || isAllowed(address))) return found",
    replace: "if (found.length > 0) return found",
    by: over("twenty", "is connected to only where it is public")
  },
  {
    guarantee: "a CRM's host of a private network is the operator's to list",
    file: `${DOMAIN}/CrmAccess.ts`,
    find: "isInner && !isAllowed ?",
    replace: "isInner && hostname.length < 0 ?",
    by: address
  },
  {
    guarantee: "without https, a CRM is asked within its private network alone",
    file: `${ADAPTERS}/doorToCrm.ts`,
    find: "if (found.every(({ address }) => hosts.allows(hostname, address))) return found",
    replace: "if (found.length > 0) return found",
    by: OTHER_ANSWER
  },
  {
    guarantee: "a CRM leads only into listed ranges, whatever its name servers say next",
    file: `${ADAPTERS}/PrivateHosts.ts`,
    find: "isInRange(address) || (names.has(hostname) && isNetworkAddress(address))",
    replace: "isNetworkAddress(address)",
    by: OTHER_ANSWER
  },
  {
    guarantee: "a listed name of a CRM does not lead to this machine",
    file: `${ADAPTERS}/PrivateHosts.ts`,
    find: "(names.has(hostname) && isNetworkAddress(address))",
    replace: "names.has(hostname)",
    by: OTHER_ANSWER
  },
  {
    guarantee: "however wide a range is listed, no service with a machine's secrets is asked",
    file: `${ADAPTERS}/PrivateHosts.ts`,
    find: "(isNetworkAddress(address) || LOOPBACK.has(address)) && ranges",
    replace: "ranges",
    by: over("privateHosts", "is listed as its address is written")
  },
  {
    guarantee: "that a CRM is in a private network is said",
    file: `${DOMAIN}/reading.ts`,
    find: 'concluded === "not_allowed" ? "private_address" : reason',
    replace: "reason",
    by: service("a CRM at an address that we may not connect to")
  },
  {
    guarantee: "Salesforce: a token that was just given and is refused is not renewed again",
    file: `${ADAPTERS}/salesforce/sessions.ts`,
    find: "if (held === undefined) return yield* answer.failure",
    replace: "",
    by: over("salesforce", "a session that is refused again and again ends")
  },
  {
    guarantee: "Salesforce: a token that is over is renewed once",
    file: `${ADAPTERS}/salesforce/sessions.ts`,
    find: "if (!isRefusedToken(answer.failure)) return",
    replace: "if (Date.now() > 0) return",
    by: over("salesforce", "a token is asked for once")
  },
  {
    guarantee: "Salesforce: a token goes to no server but the vendor's own",
    file: `${ADAPTERS}/salesforce/sessions.ts`,
    find: '(protocol === "https:" && HOSTS.pattern.test(hostname)) ? origin',
    replace: "protocol + hostname !== null ? origin",
    by: over("salesforce", "a token goes to no server")
  },
  {
    guarantee: "Salesforce: no secret is in a failure",
    file: `${ADAPTERS}/salesforce/sessions.ts`,
    find: 'http.failed("account", "the program or its secret is refused")',
    replace: 'http.failed("account", failure.cause)',
    by: over("salesforce", "a refusal that only the owner can mend")
  },
  {
    guarantee: "Salesforce: an address in a query is one text",
    file: `${ADAPTERS}/salesforce/soql.ts`,
    find: 'text.replaceAll(/[\\\\\']/g, "\\\\$&")',
    replace: "text",
    by: over("salesforce", "an address in a query is one text")
  },
  {
    guarantee: "Salesforce: records go on only where a query goes on",
    file: `${ADAPTERS}/salesforce/soql.ts`,
    find: "!NEXT.test(part.nextRecordsUrl) || ",
    replace: "",
    by: CODES
  },
  {
    guarantee: "Salesforce: the day's last requests are left to others",
    file: `${ADAPTERS}/salesforce/pages.ts`,
    find: "opportunities }, sparesEnough)",
    replace: "opportunities }, Effect.void)",
    by: over("salesforce", "nothing is read while the day's requests")
  },
  {
    guarantee: "Salesforce: what was deleted is told",
    file: `${ADAPTERS}/salesforce/pages.ts`,
    find: "withDeleted: sinceMillis !== null",
    replace: "withDeleted: false",
    by: DELETED
  },
  {
    guarantee: "Salesforce: contacts change with their account",
    file: `${ADAPTERS}/salesforce/pages.ts`,
    find: 'matters: "Email != null",\n    also: "Account.SystemModstamp"',
    replace: 'matters: "Email != null"',
    by: over("salesforce", "a deal keeps out its account's people")
  },
  {
    guarantee: "Salesforce: used up requests are waited for",
    file: `${ADAPTERS}/salesforce/Salesforce.ts`,
    find: 'if (error.code === "REQUEST_LIMIT_EXCEEDED") {',
    replace: 'if (error.code === "") {',
    by: CODES
  },
  {
    guarantee: "Twenty: a reply's images and links do not come alive",
    file: `${ADAPTERS}/twenty/notes.ts`,
    find: '.replaceAll(/[!-/:-@[-`{-~]/g, "\\\\$&")',
    replace: "",
    by: over("twenty", "a reply shows as it was written")
  },
  {
    guarantee: "Twenty: a note has the same id in each try",
    file: `${ADAPTERS}/twenty/notes.ts`,
    find: "update(`outbound/twenty/${kind}/${text}`)",
    replace: "update(`outbound/twenty/${kind}/${text}/${performance.now()}`)",
    by: over("twenty", "a note that was cut off from its person")
  },
  {
    guarantee: "Twenty: people are found by their whole address",
    file: `${ADAPTERS}/twenty/notes.ts`,
    find: "emailsIn(emails).some((one) => one.toLowerCase() === email.toLowerCase())",
    replace: "emailsIn(emails).length > 0",
    by: over("twenty", "finds people by their whole address")
  },
  {
    guarantee: "Twenty: what was deleted is told",
    file: `${ADAPTERS}/twenty/pages.ts`,
    find: "`or(updatedAt[gte]:${time},deletedAt[gte]:${time})`",
    replace: "`updatedAt[gte]:${time}`",
    by: DELETED
  },
  {
    guarantee: "Twenty: an answer without a list is no empty list",
    file: `${ADAPTERS}/twenty/lists.ts`,
    find: "if (records === undefined) return",
    replace: "if (records === null) return",
    by: over("twenty", "an answer that is no list")
  }
]
