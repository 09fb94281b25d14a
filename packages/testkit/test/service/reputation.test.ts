import { dmarcReportsContract } from "../../src/contracts/service/dmarcReports.js"
import { domainWatchContract } from "../../src/contracts/service/domainWatch.js"
import * as PostOffice from "../../src/mail/PostOffice.js"
import { quietMemory } from "../../src/service/Service.js"

dmarcReportsContract("memory", quietMemory, PostOffice.layer)
domainWatchContract("memory", quietMemory)
