/**
 * The files that only `.ci/run` runs. `npm test` is what a person runs before each change, in minutes on two slow cores: every rule in
 * memory, and of PostgreSQL what memory can't show, which is the stores, the journal, and the stories in which hosts race, die
 * or wait on locks. What is not named here is in both.
 */
export const ONLY_IN_CI = [
  // Stories that memory tells with the same words. Here they show that the stores agree; the stores' own contracts do, too.
  "packages/adapters/test/service/!(approvalsReplay|asKey|coalescing|killRaces|ownFailures|ownRaces|roundTrips).test.ts",
  // Vendors, and the servers that stand for them: each answer at each of its bytes.
  "packages/adapters/test/{dns,providers,site,webhooks}/**",
  "packages/adapters/test/wings/**",
  // Databases that are started, filled, moved, broken and restored.
  "packages/adapters/test/embedded/**",
  "packages/adapters/test/postgres/{backup,expansion,migrations,months}.test.ts",
  "packages/adapters/test/work/PgWorkSignals.test.ts",
  // Thousands of people, or of bytes.
  "packages/adapters/test/{outbound/manyLeads,mail/hugeMail,mail/mailCost}.test.ts",
  // Mail over real connections, broken at every step.
  "packages/adapters/test/mail/{Imap,ImapConnections,Probe,RenewedMail,SandboxMail,Smtp,SmtpFaults}.test.ts",
  // Hosts: pages, browsers, other people's clients.
  "packages/host-http/test/!(Config|HttpServer|contract|formText|openapi|readiness|reference|rest|rowWords|unsubscribe).test.ts*",
  "packages/host-http/test/{commands,doctor,generated,main,oauth,providers,redTeam,screenshots,wings}/**",
  "packages/host-mcp/test/!(arguments|rendering|tools).test.ts",
  "packages/host-mcp/test/stdio/**",
  "packages/{client,examples,outbound}/test/**"
]
