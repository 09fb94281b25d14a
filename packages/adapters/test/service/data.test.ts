import { accessContract } from "@outbound/testkit/contracts/service/access.js"
import { dryRunContract } from "@outbound/testkit/contracts/service/dryRun.js"
import { enrichContract } from "@outbound/testkit/contracts/service/enrich.js"
import { enrichCacheContract } from "@outbound/testkit/contracts/service/enrichCache.js"
import { failuresContract } from "@outbound/testkit/contracts/service/failures.js"
import { findLeadsContract } from "@outbound/testkit/contracts/service/findLeads.js"
import { fuzzContract } from "@outbound/testkit/contracts/service/fuzz.js"
import { idempotencyContract } from "@outbound/testkit/contracts/service/idempotency.js"
import { orderContract } from "@outbound/testkit/contracts/service/order.js"
import { recordsContract } from "@outbound/testkit/contracts/service/records.js"
import { spendingContract } from "@outbound/testkit/contracts/service/spending.js"
import { verifyEmailContract } from "@outbound/testkit/contracts/service/verifyEmail.js"
import { service } from "./service.js"

/** Rounds of the properties: each is a transaction or several on a real disk. */
const RUNS = 10
const FUZZ_RUNS = 150

verifyEmailContract("postgres", service)
enrichContract("postgres", service)
enrichCacheContract("postgres", service)
findLeadsContract("postgres", service)
orderContract("postgres", service)
dryRunContract("postgres", service, RUNS)
idempotencyContract("postgres", service)
spendingContract("postgres", service, RUNS)
accessContract("postgres", service)
recordsContract("postgres", service)
failuresContract("postgres", service)
fuzzContract("postgres", service, FUZZ_RUNS)
