import { consoleLedgerContract } from "../../src/contracts/consoleLedger.js"
import { consoleReadsContract } from "../../src/contracts/consoleReads.js"
import { consolePeriodsContract } from "../../src/contracts/consolePeriods.js"
import { consoleSendingContract } from "../../src/contracts/consoleSending.js"
import { openAlertsContract } from "../../src/contracts/openAlerts.js"
import { usageContract } from "../../src/contracts/usage.js"
import { layer } from "../../src/memory/layer.js"

consoleReadsContract("memory", layer)
consoleLedgerContract("memory", layer)
consolePeriodsContract("memory", layer)
consoleSendingContract("memory", layer)
openAlertsContract("memory", layer)
usageContract("memory", layer)
