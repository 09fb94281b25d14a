import { noticesContract } from "../../src/contracts/service/notices.js"
import { noticeTroubleContract } from "../../src/contracts/service/noticeTrouble.js"
import { quietMemory } from "../../src/service/Service.js"

noticesContract("memory", quietMemory)
noticeTroubleContract("memory", quietMemory)
