/** Faults that change nothing anybody could notice: who signs in, who approves, what is paid, and what is told of it. */
const SIGN_IN_MAIL = "packages/domain/src/control/console/SignInMail.ts"
const ASKS = "packages/domain/src/control/users/asks.ts"
const SESSION = "packages/host-http/src/console/Session.ts"
const CONSOLE = "packages/domain/src/control/console/Console.ts"
const PAYMENTS = "packages/domain/src/wings/payments/Payments.ts"
const of = (file, ...pairs) => pairs.map(([before, after, nth = 1]) => ({ file, before, after, nth }))

export const PEOPLE = {
  "a letter that was not written is sent to nobody either way; only the log of the host differs": of(
    SIGN_IN_MAIL,
    [
      'makeSignInLink(email).pipe( Effect.map((secret): Letter | null => signInLetter(baseUrl, email, secret)), Effect.catchIf( (error) => error._tag === "not_found", () => Effect.succeed(null) ) )',
      "makeSignInLink(email).pipe( Effect.map((secret): Letter | null => signInLetter(baseUrl, email, secret)) )"
    ],
    ['error._tag === "not_found"', 'error._tag !== "not_found"']
  ),
  "subjects are sorted for one order of locks: the sign of a comparison gives it, and equal ones are one subject": of(
    ASKS,
    ["a.subject < b.subject", "a.subject <= b.subject"],
    ["1", "(1 + 1)"],
    ["1", "(1 + 1)", 2]
  ),
  "only the compiler needs it: no secret is as short as the word null": of(
    SESSION,
    ["secret !== null && SECRET.test(secret)", "SECRET.test(secret)"],
    ["secret !== null && SECRET.test(secret)", "SECRET.test(secret)", 2]
  ),
  "no zone of this Node's list has a plus in its name; that of another Node may": of(SESSION, [
    'value.replaceAll("%2F", "/").replaceAll("%2B", "+")',
    'value.replaceAll("%2F", "/")'
  ]),
  "who made the key is looked up for nothing where no rule excludes them": of(CONSOLE, [
    "rules.excludesKeyOwner ? yield* askerOf(approvals, { workspaceId, keyId, byUserId: askedByUserId }) : null",
    "yield* askerOf(approvals, { workspaceId, keyId, byUserId: askedByUserId })"
  ]),
  "only the compiler needs it: what offers the rule is about a campaign": of(CONSOLE, [
    '"campaign_name" in snapshot ? snapshot.campaign_name : null',
    "snapshot.campaign_name"
  ]),
  "only the compiler needs it: a payment that was just read or begun is there, and none is none": of(
    PAYMENTS,
    ['applied.kind === "missing" ? null : applied.payment', "applied.payment"],
    ["after ?? payment", "after"],
    ["after ?? payment", "after", 2]
  ),
  "a credit costs one cent, so that times and through it are the same": of(PAYMENTS, [
    "credits * CENTS_PER_CREDIT",
    "credits / CENTS_PER_CREDIT"
  ]),
  "what each payment of a round came to is not asked for": of(PAYMENTS, ["true", "false"])
}
