import { relative } from "node:path"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/**
 * Files that take long, the longest first. Most are a few lines that run a contract suite, so that vitest, which begins
 * with what is large, would begin them last, and one process would wait for the other at the end.
 */
const LONGEST = [
  "packages/testkit/test/wings/canary/reputation.test.ts",
  "packages/testkit/test/service/everyZone.test.ts",
  "packages/adapters/test/service/sending.test.ts",
  "packages/host-http/test/consolePages.test.ts",
  "packages/adapters/test/work/PgWorkSignals.test.ts",
  "packages/adapters/test/service/vendorSending.test.ts",
  "packages/adapters/test/service/replyToThread.test.ts",
  "packages/adapters/test/service/control.test.ts",
  "packages/adapters/test/service/breaker.test.ts",
  "packages/adapters/test/service/data.test.ts",
  "packages/adapters/test/embedded/EmbeddedPostgres.test.ts",
  "packages/adapters/test/service/mailReading.test.ts",
  "packages/adapters/test/service/approvalsReplay.test.ts",
  "packages/adapters/test/postgres/migrations.test.ts",
  "packages/adapters/test/postgres/backup.test.ts",
  "packages/adapters/test/service/forecast.test.ts",
  "packages/host-http/test/browser.test.ts",
  "packages/host-http/test/unsubscribe.test.ts",
  "packages/adapters/test/postgres/partition.test.ts",
  "packages/adapters/test/service/ownSending.test.ts",
  "packages/adapters/test/wings/crm/service.test.ts",
  "packages/adapters/test/service/erasure.test.ts",
  "packages/adapters/test/service/ownFailures.test.ts",
  "packages/adapters/test/service/winnerRule.test.ts",
  "packages/adapters/test/service/clockJumps.test.ts",
  "packages/adapters/test/postgres/expansion.test.ts",
  "packages/adapters/test/postgres/contracts.test.ts",
  "packages/adapters/test/postgres/journalContract.test.ts",
  "packages/adapters/test/mail/SmtpFaults.test.ts",
  "packages/host-http/test/rest.test.ts",
  "packages/adapters/test/service/ownHours.test.ts",
  "packages/adapters/test/service/companyRules.test.ts",
  "packages/domain/test/outreach/sending/ownHours.test.ts",
  "packages/testkit/test/service/mailReading.test.ts",
  "packages/host-http/system/ownMailFaults.test.ts",
  "packages/testkit/system/wings.test.ts",
  "packages/host-http/system/kills.test.ts",
  "packages/host-http/system/idle.test.ts",
  "packages/host-http/system/packages.test.ts",
  "packages/host-http/system/ownMail.test.ts",
  "packages/host-http/system/failover.test.ts",
  "packages/host-http/system/guides.test.ts",
  "packages/host-http/system/loop.test.ts",
  "packages/host-http/system/process.test.ts",
  "packages/host-http/system/workers.test.ts"
]

export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const index = LONGEST.indexOf(relative(this.ctx.config.root, moduleId))
      return index === -1 ? LONGEST.length : index
    }
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other))
  }
}
