import { mailFollowingContract, mailReadingContract } from "../../src/contracts/service/mailReading.js"
import * as PostOffice from "../../src/mail/PostOffice.js"
import { layerMemory } from "../../src/service/Service.js"

mailReadingContract("memory", layerMemory, PostOffice.layer)
mailFollowingContract("memory", layerMemory, PostOffice.layer)
