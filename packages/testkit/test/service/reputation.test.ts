import { dmarcReportsContract, domainWatchContract } from "../../src/contracts/service/reputation.js"
import * as PostOffice from "../../src/mail/PostOffice.js"
import { layerMemory } from "../../src/service/Service.js"

dmarcReportsContract("memory", layerMemory, PostOffice.layer)
domainWatchContract("memory", layerMemory)
