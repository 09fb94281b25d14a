import { noticesContract } from "../../src/contracts/service/notices.js"
import { noticeTroubleContract } from "../../src/contracts/service/noticeTrouble.js"
import { layerMemory } from "../../src/service/Service.js"

noticesContract("memory", layerMemory)
noticeTroubleContract("memory", layerMemory)
