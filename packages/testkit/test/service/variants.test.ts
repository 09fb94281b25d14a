import { variantsContract } from "../../src/contracts/service/variants.js"
import { layerMemory } from "../../src/service/Service.js"

variantsContract("memory", layerMemory)
