import { dmarcReportsContract } from "../../src/contracts/service/dmarcReports.js"
import { domainWatchContract } from "../../src/contracts/service/domainWatch.js"
import * as PostOffice from "../../src/mail/PostOffice.js"
import { layerMemory } from "../../src/service/Service.js"

dmarcReportsContract("memory", layerMemory, PostOffice.layer)
domainWatchContract("memory", layerMemory)
